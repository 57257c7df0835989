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


tool = weather.to_dict()
question = [{"role": "user", "content": "How is the weather in Paris?"}]


def whole(messages):
    return client.messages.create(model=model, max_tokens=4000, tools=[tool], messages=messages)


def streamed(messages):
    with client.messages.stream(model=model, max_tokens=4000, tools=[tool], messages=messages) as stream:
        return stream.get_final_message()


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def conversation(answer_to):
    """A tool call, its answer, and the answer to a second question."""
    messages = list(question)
    asked = answer_to(messages)
    call = next(block for block in asked.content if block.type == "tool_use")
    result = [{"type": "tool_result", "tool_use_id": call.id, "content": f"Sunny in {call.input['city']}."}]
    messages += [{"role": "assistant", "content": asked.content}, {"role": "user", "content": result}]
    first = answer_to(messages)
    messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": "And tomorrow?"}]
    return [text_of(first), text_of(answer_to(messages))]


assert client.messages.count_tokens(model=model, messages=question).input_tokens > 0
runner = client.beta.messages.tool_runner(model=model, max_tokens=1000, tools=[weather], messages=question)
texts = conversation(whole)
assert text_of(runner.until_done()) == texts[0]
print(json.dumps({"texts": texts, "streamed": conversation(streamed), "results": results[:1]}))
