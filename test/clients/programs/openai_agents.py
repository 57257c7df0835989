"""openai-agents for Python, which calls Responses by default."""

import asyncio
import json
import os

from agents import Agent, Runner, function_tool, set_default_openai_client, set_tracing_disabled
from openai import AsyncOpenAI

set_tracing_disabled(True)
set_default_openai_client(
    AsyncOpenAI(base_url=os.environ["GATEWAY_URL"] + "/v1", api_key=os.environ["GATEWAY_KEY"]), use_for_tracing=False
)
results = []


@function_tool
def weather(city: str) -> str:
    """The weather of a city."""
    results.append(f"Sunny in {city}.")
    return results[-1]


async def main():
    agent = Agent(name="Weather", instructions="Be brief.", model=os.environ["MODEL"], tools=[weather])
    whole = await Runner.run(agent, "How is the weather in Paris?")
    stream = Runner.run_streamed(agent, "How is the weather in Paris?")
    async for _ in stream.stream_events():
        pass
    print(json.dumps({"text": whole.final_output, "streamed": stream.final_output, "results": results[:1]}))


asyncio.run(main())
