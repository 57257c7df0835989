"""Embeddings with OpenAI's client and with LangChain."""

import json
import os

from langchain_openai import OpenAIEmbeddings
from openai import OpenAI

url, key, model = os.environ["GATEWAY_URL"] + "/v1", os.environ["GATEWAY_KEY"], os.environ["MODEL"]
plain = OpenAI(base_url=url, api_key=key).embeddings.create(model=model, input="Hello").data[0].embedding
chain = OpenAIEmbeddings(model=model, base_url=url, api_key=key, check_embedding_ctx_length=False).embed_query("Hello")
print(json.dumps({"openai": plain, "langchain": chain}))
