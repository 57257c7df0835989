"""Azure's clients of OpenAI's SDK for Python and of LangChain."""

import json
import os

from langchain_openai import AzureChatOpenAI, AzureOpenAIEmbeddings
from openai import AzureOpenAI

url, key, model, vectors = (os.environ[name] for name in ("GATEWAY_URL", "GATEWAY_KEY", "MODEL", "EMBEDDINGS_MODEL"))
settings = {"azure_endpoint": url, "api_key": key, "api_version": "2025-04-01-preview"}
client = AzureOpenAI(**settings)
deployment = AzureOpenAI(**settings, azure_deployment=model)
question = "How is the weather in Paris?"
messages = [{"role": "user", "content": question}]

chunks = client.chat.completions.create(model=model, messages=messages, stream=True)
texts = [
    client.chat.completions.create(model=model, messages=messages).choices[0].message.content,
    deployment.chat.completions.create(model=model, messages=messages).choices[0].message.content,
    "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
    client.responses.create(model=model, input=question).output_text,
    deployment.responses.create(model=model, input=question).output_text,
    str(AzureChatOpenAI(**settings, azure_deployment=model).invoke(question).text),
]
embeddings = [
    client.embeddings.create(model=vectors, input="Hello").data[0].embedding,
    AzureOpenAIEmbeddings(**settings, model=vectors, check_embedding_ctx_length=False).embed_query("Hello"),
]
print(json.dumps({"texts": texts, "embeddings": embeddings}))
