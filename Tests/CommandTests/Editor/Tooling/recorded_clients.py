"""Talks to `scenario lsp` as several editors do, with the capabilities that were recorded of each; writes what it saw as JSON.

usage: recorded_clients.py COMMAND FOLDER

A result that an editor could not understand, by its capabilities, is a warning, and ends this with an error.
"""
import asyncio
import json
import sys
import warnings
from pathlib import Path

from lsprotocol import types
from pytest_lsp import LspSpecificationWarning, client_capabilities, make_test_lsp_client

CLIENTS = ["visual-studio-code", "neovim@v0.7.0", "neovim@v0.11.0", "emacs"]


async def talk(command, folder, name):
    client = make_test_lsp_client()
    await client.start_io(command, "lsp")
    initialized = await client.initialize_session(types.InitializeParams(
        capabilities=client_capabilities(name), root_uri=folder.as_uri(),
        workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="w")]))
    path = folder / "s.yaml"
    # A character of two units in UTF-16, of four bytes in UTF-8, and of one in UTF-32.
    uri, text = path.as_uri(), "# 😀\r\n" + path.read_text().replace("rooted", "rooed").replace("bob", "😀")
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=types.TextDocumentItem(
        uri=uri, language_id="yaml", version=1, text=text)))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    problem = client.diagnostics[uri][0]
    document = types.TextDocumentIdentifier(uri=uri)
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        text_document=document, range=problem.range, context=types.CodeActionContext(diagnostics=[problem])))
    here = dict(text_document=document, position=types.Position(7, 21))
    hover = await client.text_document_hover_async(types.HoverParams(**here))
    completion = await client.text_document_completion_async(types.CompletionParams(**here))
    renamed = await client.text_document_rename_async(types.RenameParams(**here, new_name="rob"))
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    await client.shutdown_session()
    server = client._server
    status = await asyncio.wait_for(server.wait(), 10) if server.returncode is None else server.returncode
    await client.stop()
    encoding = initialized.capabilities.position_encoding
    return {
        "encoding": encoding, "problem": [problem.range.start.line, problem.range.start.character],
        "actions": [action.title for action in actions], "hover": hover.contents.value,
        "completions": len(completion), "edits": len(renamed.changes[uri]),
        "lenses": [lens.command.title for lens in lenses], "status": status}


warnings.simplefilter("error", LspSpecificationWarning)
print(json.dumps({name: asyncio.run(talk(sys.argv[1], Path(sys.argv[2]).resolve(), name)) for name in CLIENTS}))
