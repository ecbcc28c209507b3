"""Talks to `scenario lsp` as pytest-lsp does; writes what it saw as JSON.

usage: language_client.py COMMAND FOLDER
"""
import asyncio
import json
import sys
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import make_test_lsp_client

# Until an answer that does not come is missed.
SECONDS = 300


async def refusal(client, method, parameters):
    """The code of the error with which a request is refused."""
    try:
        return await client.protocol.send_request_async(method, parameters)
    except JsonRpcException as error:
        return error.code


async def problems(client, uri, event):
    """What is wrong with a document after an event."""
    before = client.diagnostics.get(uri)
    event()
    while client.diagnostics.get(uri) is before:
        await asyncio.sleep(0.01)
    return [problem.message.split("\n")[0] for problem in client.diagnostics[uri]]


async def talk_about_results(client, folder, refreshed, scenario):
    """Lenses: a run on request, and counts of the captures of which the client's settings speak."""
    answers = {}

    async def lenses(uri):
        refreshed.clear()
        return [lens.command.title for lens in await client.text_document_code_lens_async(
            types.CodeLensParams(text_document=types.TextDocumentIdentifier(uri=uri)))]

    answers["unrun"] = await lenses(scenario)
    await client.workspace_execute_command_async(types.ExecuteCommandParams(command="scenario.run", arguments=[scenario]))
    await refreshed.wait()
    answers["run"] = await lenses(scenario)
    account = (folder / "prod.yaml").as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=types.TextDocumentItem(
        uri=account, language_id="yaml", version=1, text=(folder / "prod.yaml").read_text())))
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(
        settings={"scenario": {"captures": ["day.jsonl"]}}))
    await refreshed.wait()
    answers["uncounted"] = await lenses(account)
    await refreshed.wait()
    answers["counted"] = await lenses(account)
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=types.TextDocumentIdentifier(uri=account)))
    return answers


async def talk_about_changes_elsewhere(client, folder):
    """Problems that come and go because of another file, or of another folder."""
    answers = {}
    uri, account = (folder / "sub/u.yaml").as_uri(), folder / "prod.yaml"
    opened = types.DidOpenTextDocumentParams(text_document=types.TextDocumentItem(
        uri=uri, language_id="yaml", version=1, text=(folder / "sub/u.yaml").read_text()))
    answers["opened"] = await problems(client, uri, lambda: client.text_document_did_open(opened))
    text = account.read_text()
    account.write_text(text.replace("vpn", "van"))
    answers["watched"] = await problems(client, uri, lambda: client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(changes=[types.FileEvent(uri=account.as_uri(), type=types.FileChangeType.Changed)])))
    account.write_text(text)
    answers["saved"] = await problems(client, uri, lambda: client.text_document_did_save(
        types.DidSaveTextDocumentParams(text_document=types.TextDocumentIdentifier(uri=uri))))
    here = types.WorkspaceFolder(uri=folder.as_uri(), name="w")
    for name, change in (
        ("folder removed", types.WorkspaceFoldersChangeEvent(added=[], removed=[here])),
        ("folder added", types.WorkspaceFoldersChangeEvent(added=[here], removed=[])),
    ):
        answers[name] = await problems(client, uri, lambda change=change: client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(event=change)))
    return answers


async def talk(command, folder):
    answers = {}
    client = make_test_lsp_client()
    refreshed = asyncio.Event()

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(_):
        refreshed.set()

    await client.start_io(command, "lsp")
    initialized = await client.initialize_session(types.InitializeParams(
        capabilities=types.ClientCapabilities(
            general=types.GeneralClientCapabilities(
                position_encodings=[types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16]),
            workspace=types.WorkspaceClientCapabilities(
                code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True))),
        workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="w")]))
    answers["encoding"] = initialized.capabilities.position_encoding
    answers["server"] = initialized.server_info.name
    path = folder / "s.yaml"
    uri, text = path.as_uri(), path.read_text()
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=text)))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    answers["before"] = len(client.diagnostics[uri])
    # Behind an emoji and a tab, in UTF-8: `# 😀\t` has seven bytes.
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
        content_changes=[types.TextDocumentContentChangePartial(
            range=types.Range(start=types.Position(0, 0), end=types.Position(0, 0)), text="# 😀\tx\r\nscenari: x\r\n")]))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    answers["after"] = [
        [d.range.start.line, d.range.start.character, d.range.end.character, d.severity, d.message]
        for d in client.diagnostics[uri]]
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=3),
        content_changes=[types.TextDocumentContentChangePartial(
            range=types.Range(start=types.Position(0, 7), end=types.Position(2, 0)), text="\n")]))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    answers["mended"] = len(client.diagnostics[uri])
    here = dict(text_document=types.TextDocumentIdentifier(uri=uri), position=types.Position(7, 21))
    hover = await client.text_document_hover_async(types.HoverParams(**here))
    answers["hover"] = hover.contents.value
    completion = await client.text_document_completion_async(types.CompletionParams(**here))
    answers["completions"] = [item.label for item in completion]
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**here))
    answers["prepared"] = prepared.placeholder
    renamed = await client.text_document_rename_async(types.RenameParams(**here, new_name="rob"))
    answers["edits"] = [[e.range.start.line, e.range.start.character, e.new_text] for e in renamed.changes[uri]]
    references = await client.text_document_references_async(
        types.ReferenceParams(**here, context=types.ReferenceContext(include_declaration=True)))
    answers["references"] = len(references)
    definition = await client.text_document_definition_async(types.DefinitionParams(**here))
    answers["definition"] = definition[0].range.start.line
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        text_document=types.TextDocumentIdentifier(uri=uri),
        range=types.Range(start=types.Position(0, 0), end=types.Position(20, 0)),
        context=types.CodeActionContext(diagnostics=[])))
    answers["actions"] = len(actions)
    answers["unknown"] = await refusal(client, "textDocument/formatting", types.DocumentFormattingParams(
        text_document=types.TextDocumentIdentifier(uri=uri), options=types.FormattingOptions(2, True)))
    answers |= await talk_about_results(client, folder, refreshed, uri)
    answers |= await talk_about_changes_elsewhere(client, folder)
    await client.shutdown_session()
    server = client._server
    answers["status"] = await asyncio.wait_for(server.wait(), 10) if server.returncode is None else server.returncode
    await client.stop()
    return answers


print(json.dumps(asyncio.run(asyncio.wait_for(talk(sys.argv[1], Path(sys.argv[2]).resolve()), SECONDS))))
