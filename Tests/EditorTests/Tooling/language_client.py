"""Talks to `scenario lsp` as pytest-lsp does; writes what it saw as JSON.

usage: language_client.py COMMAND FOLDER
"""
import asyncio
import json
import sys
from pathlib import Path

from lsprotocol import types
from pytest_lsp import make_test_lsp_client


async def talk(command, folder):
    answers = {}
    client = make_test_lsp_client()
    await client.start_io(command, "lsp")
    initialized = await client.initialize_session(types.InitializeParams(
        capabilities=types.ClientCapabilities(general=types.GeneralClientCapabilities(
            position_encodings=[types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16])),
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
    await client.shutdown_session()
    server = client._server
    answers["status"] = await asyncio.wait_for(server.wait(), 10) if server.returncode is None else server.returncode
    await client.stop()
    return answers


print(json.dumps(asyncio.run(talk(sys.argv[1], Path(sys.argv[2]).resolve()))))
