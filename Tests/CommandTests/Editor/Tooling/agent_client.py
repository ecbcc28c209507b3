"""Calls the tools of `scenario mcp` with the public Python SDK; writes what it saw as JSON.

usage: agent_client.py COMMAND FOLDER ARGUMENTS…    (standard input: JSON, [{tool, arguments} or {read: ADDRESS}])
"""
import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client


async def talk(command, arguments, calls):
    answers = {"calls": []}
    parameters = StdioServerParameters(command=command, args=["mcp", *arguments])
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        initialized = await session.initialize()
        answers["server"] = initialized.server_info.name
        answers["instructions"] = initialized.instructions
        answers["tools"] = [tool.name for tool in (await session.list_tools()).tools]
        resources = (await session.list_resources()).resources
        answers["resources"] = [str(resource.uri) for resource in resources]
        schema = await session.read_resource(resources[0].uri)
        answers["schema"] = json.loads(schema.contents[0].text)["title"]
        for call in calls:
            try:
                if "read" in call:
                    found = await session.read_resource(call["read"])
                    answers["calls"].append({"isError": False, "texts": [found.contents[0].text]})
                    continue
                result = await session.call_tool(call["tool"], call["arguments"])
                texts = [content.text for content in result.content]
                answers["calls"].append({"isError": result.is_error, "texts": texts})
            except Exception as error:
                answers["calls"].append({"isError": True, "texts": [str(error)], "refused": True})
    return answers


print(json.dumps(asyncio.run(talk(sys.argv[1], sys.argv[2:], json.load(sys.stdin)))))
