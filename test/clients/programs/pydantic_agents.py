"""Pydantic AI with Responses, Chat Completions and Messages."""

import asyncio
import json
import os

from pydantic_ai import Agent

url, key, model, api = (os.environ[name] for name in ("GATEWAY_URL", "GATEWAY_KEY", "MODEL", "API"))
if api == "messages":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(base_url=url, api_key=key)
    chosen = AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))
else:
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    kind = OpenAIResponsesModel if api == "responses" else OpenAIChatModel
    chosen = kind(model, provider=OpenAIProvider(base_url=url + "/v1", api_key=key))
agent = Agent(chosen, instructions="Be brief.")
results = []


@agent.tool_plain
def weather(city: str) -> str:
    """The weather of a city."""
    results.append(f"Sunny in {city}.")
    return results[-1]


async def ignore(context, events):
    async for _ in events:
        pass


async def main():
    first = await agent.run("How is the weather in Paris?")
    second = await agent.run("And tomorrow?", message_history=first.all_messages())
    first_stream = await agent.run("How is the weather in Paris?", event_stream_handler=ignore)
    second_stream = await agent.run(
        "And tomorrow?", message_history=first_stream.all_messages(), event_stream_handler=ignore
    )
    streamed = [first_stream.output, second_stream.output]
    texts = [first.output, second.output]
    print(json.dumps({"texts": texts, "streamed": streamed, "results": results[:1]}))


asyncio.run(main())
