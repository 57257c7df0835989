"""Pydantic AI with Responses and with Messages."""

import asyncio
import json
import os

from pydantic_ai import Agent

url, key, model = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"], os.environ["MODEL"]
if os.environ["API"] == "messages":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(base_url=url, api_key=key)
    chosen = AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))
else:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    chosen = OpenAIResponsesModel(model, provider=OpenAIProvider(base_url=url + "/v1", api_key=key))
agent = Agent(chosen, instructions="Be brief.")
results = []


@agent.tool_plain
def weather(city: str) -> str:
    """The weather of a city."""
    results.append(f"Sunny in {city}.")
    return results[-1]


async def main():
    whole = await agent.run("How is the weather in Paris?")
    async with agent.run_stream("How is the weather in Paris?") as stream:
        streamed = await stream.get_output()
    print(json.dumps({"text": whole.output, "streamed": streamed, "results": results[:1]}))


asyncio.run(main())
