"""Anthropic's client for Python: messages created and streamed, tokens counted, a tool runner."""

import json
import os

from anthropic import Anthropic, beta_tool

client = Anthropic(base_url=os.environ["GATEWAY_URL"], api_key=os.environ["GATEWAY_KEY"])
model = os.environ["MODEL"]
results = []


@beta_tool
def weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: The city's name.
    """
    results.append(f"Sunny in {city}.")
    return results[-1]


question = [{"role": "user", "content": "How is the weather in Paris?"}]
count = client.messages.count_tokens(model=model, messages=question).input_tokens
assert count > 0
runner = client.beta.messages.tool_runner(model=model, max_tokens=1000, tools=[weather], messages=question)
final = runner.until_done()
plain = client.messages.create(model=model, max_tokens=1000, messages=question)
with client.messages.stream(model=model, max_tokens=1000, messages=question) as stream:
    streamed = "".join(stream.text_stream)
print(json.dumps({"text": final.content[-1].text, "plain": plain.content[0].type, "streamed": streamed, "results": results}))
