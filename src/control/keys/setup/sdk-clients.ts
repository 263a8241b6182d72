/** Programs that call the API by a library: the variables, a file to save, and the command that runs it. */
import { type ClientDescription, KEY_ALONE, MESSAGE } from './client-description.ts'

// The vendors' SDKs look for address and key in the environment. GOOGLE_API_KEY rather than GEMINI_API_KEY: where both are
// set, both of Google's SDKs take it.
const OPENAI = { OPENAI_BASE_URL: '{base_url}', OPENAI_API_KEY: '{key}' }
const ANTHROPIC = { ANTHROPIC_BASE_URL: '{origin}', ANTHROPIC_API_KEY: '{key}' }
const GOOGLE = { GOOGLE_GEMINI_BASE_URL: '{origin}', GOOGLE_API_KEY: '{key}' }

/** The address of these is the origin without `/v1`. */
const AT_ROOT = ['root_without_v1', 'keep_out_of_repository'] as const

const OPENAI_PYTHON = `from openai import OpenAI

client = OpenAI()  # reads OPENAI_BASE_URL and OPENAI_API_KEY
`

const OPENAI_JAVASCRIPT = `import OpenAI from 'openai'

const client = new OpenAI() // reads OPENAI_BASE_URL and OPENAI_API_KEY
`

/** Both packages of the AI SDK append to an address that ends in /v1, the Anthropic one too. */
function aiSdk(vendor: 'OpenAI' | 'Anthropic', api: string): string {
  return `import { create${vendor} } from '@ai-sdk/{family}'
import { generateText } from 'ai'

const tollgate = create${vendor}({
  baseURL: '{base_url}',
  apiKey: process.env.TOLLGATE_API_KEY,
})
const { text } = await generateText({ model: tollgate${api}('{model}'), prompt: '${MESSAGE}' })
console.log(text)`
}

/** Rows stand in the order in which the clients are shown. */
export const SDK_CLIENTS: readonly ClientDescription[] = [
  {
    id: 'openai-python',
    name: 'OpenAI SDK (Python)',
    protocols: ['openai-chat', 'openai-responses'],
    install: '{python} -m pip install openai',
    set: OPENAI,
    code: {
      path: 'hello_openai.py',
      text: {
        'openai-chat': `${OPENAI_PYTHON}answer = client.chat.completions.create(
    model="{model}",
    messages=[{"role": "user", "content": "${MESSAGE}"}],
)
print(answer.choices[0].message.content)`,
        'openai-responses': `${OPENAI_PYTHON}answer = client.responses.create(model="{model}", input="${MESSAGE}")
print(answer.output_text)`,
      },
    },
  },
  {
    id: 'openai-js',
    name: 'OpenAI SDK (JavaScript)',
    protocols: ['openai-chat', 'openai-responses'],
    install: 'npm install openai',
    set: OPENAI,
    code: {
      path: 'hello-openai.mjs',
      text: {
        'openai-chat': `${OPENAI_JAVASCRIPT}const answer = await client.chat.completions.create({
  model: '{model}',
  messages: [{ role: 'user', content: '${MESSAGE}' }],
})
console.log(answer.choices[0].message.content)`,
        'openai-responses': `${OPENAI_JAVASCRIPT}const answer = await client.responses.create({ model: '{model}', input: '${MESSAGE}' })
console.log(answer.output_text)`,
      },
    },
  },
  {
    id: 'anthropic-python',
    name: 'Anthropic SDK (Python)',
    protocols: ['anthropic-messages'],
    advice: AT_ROOT,
    install: '{python} -m pip install anthropic',
    set: ANTHROPIC,
    code: {
      path: 'hello_anthropic.py',
      text: `from anthropic import Anthropic

client = Anthropic()  # reads ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY
answer = client.messages.create(
    model="{model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "${MESSAGE}"}],
)
print(next(block.text for block in answer.content if block.type == "text"))`,
    },
  },
  {
    id: 'anthropic-js',
    name: 'Anthropic SDK (JavaScript)',
    protocols: ['anthropic-messages'],
    advice: AT_ROOT,
    install: 'npm install @anthropic-ai/sdk',
    set: ANTHROPIC,
    code: {
      path: 'hello-anthropic.mjs',
      text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic() // reads ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY
const answer = await client.messages.create({
  model: '{model}',
  max_tokens: 256,
  messages: [{ role: 'user', content: '${MESSAGE}' }],
})
console.log(answer.content.find((block) => block.type === 'text').text)`,
    },
  },
  {
    id: 'google-genai-python',
    name: 'Google Gen AI SDK (Python)',
    protocols: ['gemini'],
    advice: AT_ROOT,
    install: '{python} -m pip install google-genai',
    set: GOOGLE,
    code: {
      path: 'hello_gemini.py',
      text: `from google import genai

client = genai.Client()  # reads GOOGLE_GEMINI_BASE_URL and GOOGLE_API_KEY
answer = client.models.generate_content(model="{model}", contents="${MESSAGE}")
print(answer.text)`,
    },
  },
  {
    id: 'google-genai-js',
    name: 'Google Gen AI SDK (JavaScript)',
    protocols: ['gemini'],
    advice: AT_ROOT,
    install: 'npm install @google/genai',
    set: GOOGLE,
    code: {
      path: 'hello-gemini.mjs',
      text: `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({}) // reads GOOGLE_GEMINI_BASE_URL and GOOGLE_API_KEY
const answer = await client.models.generateContent({ model: '{model}', contents: '${MESSAGE}' })
console.log(answer.text)`,
    },
  },
  {
    id: 'vercel-ai-sdk',
    name: 'Vercel AI SDK',
    protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    install: 'npm install ai @ai-sdk/{family}',
    set: KEY_ALONE,
    code: {
      path: 'hello-ai-sdk.mjs',
      text: {
        'openai-chat': aiSdk('OpenAI', '.chat'),
        'openai-responses': aiSdk('OpenAI', '.responses'),
        'anthropic-messages': aiSdk('Anthropic', ''),
      },
    },
  },
  {
    id: 'langchain-js',
    name: 'LangChain (JavaScript)',
    install: 'npm install @langchain/openai @langchain/core',
    set: KEY_ALONE,
    code: {
      path: 'hello-langchain.mjs',
      text: `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: '{model}',
  apiKey: process.env.TOLLGATE_API_KEY,
  configuration: { baseURL: '{base_url}' },
})
const answer = await model.invoke('${MESSAGE}')
console.log(answer.text)`,
    },
  },
  {
    id: 'langchain-python',
    name: 'LangChain (Python)',
    install: '{python} -m pip install langchain-openai',
    set: KEY_ALONE,
    code: {
      path: 'hello_langchain.py',
      text: `import os

from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model="{model}",
    base_url="{base_url}",
    api_key=os.environ["TOLLGATE_API_KEY"],
)
print(model.invoke("${MESSAGE}").content)`,
    },
  },
  {
    // Its own class for OpenAI takes only names of models that it knows.
    id: 'llama-index',
    name: 'LlamaIndex (Python)',
    install: '{python} -m pip install llama-index-llms-openai-like',
    set: KEY_ALONE,
    code: {
      path: 'hello_llama_index.py',
      text: `import os

from llama_index.llms.openai_like import OpenAILike

model = OpenAILike(
    model="{model}",
    api_base="{base_url}",
    api_key=os.environ["TOLLGATE_API_KEY"],
    is_chat_model=True,
)
print(model.complete("${MESSAGE}").text)`,
    },
  },
]
