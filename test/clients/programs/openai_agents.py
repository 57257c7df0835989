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


agent = Agent(name="Weather", instructions="Be brief.", model=os.environ["MODEL"], tools=[weather])


async def stream_of(question):
    stream = Runner.run_streamed(agent, question)
    async for _ in stream.stream_events():
        pass
    return stream


async def main():
    follow_up = [{"role": "user", "content": "And tomorrow?"}]
    first = await Runner.run(agent, "How is the weather in Paris?")
    second = await Runner.run(agent, first.to_input_list() + follow_up)
    first_stream = await stream_of("How is the weather in Paris?")
    second_stream = await stream_of(first_stream.to_input_list() + follow_up)
    texts = [run.final_output for run in (first, second)]
    streamed = [run.final_output for run in (first_stream, second_stream)]
    print(json.dumps({"texts": texts, "streamed": streamed, "results": results[:1]}))


asyncio.run(main())
