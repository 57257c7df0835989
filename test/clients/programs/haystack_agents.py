"""Haystack's agent with Responses and with Chat Completions."""

import json
import os
from typing import Annotated

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack.utils import Secret

url, key, model = os.environ["GATEWAY_URL"] + "/v1", os.environ["GATEWAY_KEY"], os.environ["MODEL"]
kind = OpenAIResponsesChatGenerator if os.environ["API"] == "responses" else OpenAIChatGenerator
results = []


@tool
def weather(city: Annotated[str, "The city's name"]) -> str:
    """The weather of a city."""
    results.append(f"Sunny in {city}.")
    return results[-1]


def conversation(callback):
    generator = kind(api_key=Secret.from_token(key), model=model, api_base_url=url)
    agent = Agent(chat_generator=generator, tools=[weather], system_prompt="Be brief.", streaming_callback=callback)
    agent.warm_up()
    first = agent.run(messages=[ChatMessage.from_user("How is the weather in Paris?")])["messages"]
    second = agent.run(messages=[*first, ChatMessage.from_user("And tomorrow?")])["messages"]
    return [first[-1].text, second[-1].text]


texts = conversation(None)
streamed = conversation(lambda chunk: None)
print(json.dumps({"texts": texts, "streamed": streamed, "results": results[:1]}))
