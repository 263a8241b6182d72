import type { SetupProtocol, SetupStep, SetupTextStep, SetupWay } from '../../../contract/setup.ts'
import type { ClientDescription, WayContext } from './client-description.ts'
import { PYTHON, pipInstall } from './python-words.ts'
import { type TerminalSetup, terminalSystems } from './terminal-steps.ts'
import { familyOf, type WireFamily } from '../../../core/wire.ts'

const MESSAGE = 'Say hello in one word.'

/** Address and key come from the environment, where the vendors' SDKs look for them. */
function openaiEnvironment({ openaiBaseUrl }: WayContext) {
  return [
    ['OPENAI_BASE_URL', openaiBaseUrl],
    ['OPENAI_API_KEY', '{key}'],
  ] as const
}

function anthropicEnvironment({ origin }: WayContext) {
  return [
    ['ANTHROPIC_BASE_URL', origin],
    ['ANTHROPIC_API_KEY', '{key}'],
  ] as const
}

/** GOOGLE_API_KEY rather than GEMINI_API_KEY: where both are set, both SDKs take it. */
function googleEnvironment({ origin }: WayContext) {
  return [
    ['GOOGLE_GEMINI_BASE_URL', origin],
    ['GOOGLE_API_KEY', '{key}'],
  ] as const
}

/** The lines for the API of OpenAI's that the way is about. */
function openaiCall(
  { protocol }: WayContext,
  lines: { readonly responses: readonly string[]; readonly chat: readonly string[] },
): readonly string[] {
  const calls: Partial<Record<SetupProtocol, readonly string[]>> = { 'openai-responses': lines.responses }
  return calls[protocol] ?? lines.chat
}

const openaiPython: ClientDescription = {
  id: 'openai-python',
  name: 'OpenAI SDK (Python)',
  category: 'sdk',
  protocols: ['openai-chat', 'openai-responses'],
  advice: ['keep_out_of_repository'],
  systems: (way) =>
    programSystems({
      install: pipInstall('openai'),
      set: openaiEnvironment(way),
      code: pythonCode('hello_openai.py', [
        'from openai import OpenAI',
        '',
        'client = OpenAI()  # reads OPENAI_BASE_URL and OPENAI_API_KEY',
        ...openaiCall(way, {
          responses: [
            `answer = client.responses.create(model="{model}", input="${MESSAGE}")`,
            'print(answer.output_text)',
          ],
          chat: [
            'answer = client.chat.completions.create(',
            '    model="{model}",',
            `    messages=[{"role": "user", "content": "${MESSAGE}"}],`,
            ')',
            'print(answer.choices[0].message.content)',
          ],
        }),
      ]),
    }),
}

const openaiJavascript: ClientDescription = {
  id: 'openai-js',
  name: 'OpenAI SDK (JavaScript)',
  category: 'sdk',
  protocols: ['openai-chat', 'openai-responses'],
  advice: ['keep_out_of_repository'],
  systems: (way) =>
    programSystems({
      install: 'npm install openai',
      set: openaiEnvironment(way),
      code: javascriptCode('hello-openai.mjs', [
        `import OpenAI from 'openai'`,
        '',
        'const client = new OpenAI() // reads OPENAI_BASE_URL and OPENAI_API_KEY',
        ...openaiCall(way, {
          responses: [
            `const answer = await client.responses.create({ model: '{model}', input: '${MESSAGE}' })`,
            'console.log(answer.output_text)',
          ],
          chat: [
            'const answer = await client.chat.completions.create({',
            `  model: '{model}',`,
            `  messages: [{ role: 'user', content: '${MESSAGE}' }],`,
            '})',
            'console.log(answer.choices[0].message.content)',
          ],
        }),
      ]),
    }),
}

const anthropicPython: ClientDescription = {
  id: 'anthropic-python',
  name: 'Anthropic SDK (Python)',
  category: 'sdk',
  protocols: ['anthropic-messages'],
  advice: ['root_without_v1', 'keep_out_of_repository'],
  systems: (way) =>
    programSystems({
      install: pipInstall('anthropic'),
      set: anthropicEnvironment(way),
      code: pythonCode('hello_anthropic.py', [
        'from anthropic import Anthropic',
        '',
        'client = Anthropic()  # reads ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY',
        'answer = client.messages.create(',
        '    model="{model}",',
        '    max_tokens=256,',
        `    messages=[{"role": "user", "content": "${MESSAGE}"}],`,
        ')',
        'print(next(block.text for block in answer.content if block.type == "text"))',
      ]),
    }),
}

const anthropicJavascript: ClientDescription = {
  id: 'anthropic-js',
  name: 'Anthropic SDK (JavaScript)',
  category: 'sdk',
  protocols: ['anthropic-messages'],
  advice: ['root_without_v1', 'keep_out_of_repository'],
  systems: (way) =>
    programSystems({
      install: 'npm install @anthropic-ai/sdk',
      set: anthropicEnvironment(way),
      code: javascriptCode('hello-anthropic.mjs', [
        `import Anthropic from '@anthropic-ai/sdk'`,
        '',
        'const client = new Anthropic() // reads ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY',
        'const answer = await client.messages.create({',
        `  model: '{model}',`,
        '  max_tokens: 256,',
        `  messages: [{ role: 'user', content: '${MESSAGE}' }],`,
        '})',
        `console.log(answer.content.find((block) => block.type === 'text').text)`,
      ]),
    }),
}

const googlePython: ClientDescription = {
  id: 'google-genai-python',
  name: 'Google Gen AI SDK (Python)',
  category: 'sdk',
  protocols: ['gemini'],
  advice: ['root_without_v1', 'keep_out_of_repository'],
  systems: (way) =>
    programSystems({
      install: pipInstall('google-genai'),
      set: googleEnvironment(way),
      code: pythonCode('hello_gemini.py', [
        'from google import genai',
        '',
        'client = genai.Client()  # reads GOOGLE_GEMINI_BASE_URL and GOOGLE_API_KEY',
        `answer = client.models.generate_content(model="{model}", contents="${MESSAGE}")`,
        'print(answer.text)',
      ]),
    }),
}

const googleJavascript: ClientDescription = {
  id: 'google-genai-js',
  name: 'Google Gen AI SDK (JavaScript)',
  category: 'sdk',
  protocols: ['gemini'],
  advice: ['root_without_v1', 'keep_out_of_repository'],
  systems: (way) =>
    programSystems({
      install: 'npm install @google/genai',
      set: googleEnvironment(way),
      code: javascriptCode('hello-gemini.mjs', [
        `import { GoogleGenAI } from '@google/genai'`,
        '',
        'const client = new GoogleGenAI({}) // reads GOOGLE_GEMINI_BASE_URL and GOOGLE_API_KEY',
        `const answer = await client.models.generateContent({ model: '{model}', contents: '${MESSAGE}' })`,
        'console.log(answer.text)',
      ]),
    }),
}

/** What the AI SDK calls its providers. */
const AI_SDK_VENDORS: Record<WireFamily, string> = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Google' }

/** Both of its packages append to an address that ends in /v1, the Anthropic one too. */
const vercelAiSdk: ClientDescription = {
  id: 'vercel-ai-sdk',
  name: 'Vercel AI SDK',
  category: 'sdk',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['keep_out_of_repository'],
  systems: ({ protocol, openaiBaseUrl }) => {
    const vendor = AI_SDK_VENDORS[familyOf(protocol)]
    const method = { 'openai-chat': '.chat', 'openai-responses': '.responses' }
    const call = protocol in method ? method[protocol as keyof typeof method] : ''
    return programSystems({
      install: `npm install ai @ai-sdk/${vendor.toLowerCase()}`,
      set: [['TOLLGATE_API_KEY', '{key}']],
      code: javascriptCode('hello-ai-sdk.mjs', [
        `import { create${vendor} } from '@ai-sdk/${vendor.toLowerCase()}'`,
        `import { generateText } from 'ai'`,
        '',
        `const tollgate = create${vendor}({`,
        `  baseURL: '${openaiBaseUrl}',`,
        '  apiKey: process.env.TOLLGATE_API_KEY,',
        '})',
        `const { text } = await generateText({ model: tollgate${call}('{model}'), prompt: '${MESSAGE}' })`,
        'console.log(text)',
      ]),
    })
  },
}

const langChain: ClientDescription = {
  id: 'langchain-js',
  name: 'LangChain (JavaScript)',
  category: 'sdk',
  protocols: ['openai-chat'],
  advice: ['keep_out_of_repository'],
  systems: ({ openaiBaseUrl }) =>
    programSystems({
      install: 'npm install @langchain/openai @langchain/core',
      set: [['TOLLGATE_API_KEY', '{key}']],
      code: javascriptCode('hello-langchain.mjs', [
        `import { ChatOpenAI } from '@langchain/openai'`,
        '',
        'const model = new ChatOpenAI({',
        `  model: '{model}',`,
        '  apiKey: process.env.TOLLGATE_API_KEY,',
        `  configuration: { baseURL: '${openaiBaseUrl}' },`,
        '})',
        `const answer = await model.invoke('${MESSAGE}')`,
        'console.log(answer.text)',
      ]),
    }),
}

const langChainPython: ClientDescription = {
  id: 'langchain-python',
  name: 'LangChain (Python)',
  category: 'sdk',
  protocols: ['openai-chat'],
  advice: ['keep_out_of_repository'],
  systems: ({ openaiBaseUrl }) =>
    programSystems({
      install: pipInstall('langchain-openai'),
      set: [['TOLLGATE_API_KEY', '{key}']],
      code: pythonCode('hello_langchain.py', [
        'import os',
        '',
        'from langchain_openai import ChatOpenAI',
        '',
        'model = ChatOpenAI(',
        '    model="{model}",',
        `    base_url="${openaiBaseUrl}",`,
        '    api_key=os.environ["TOLLGATE_API_KEY"],',
        ')',
        `print(model.invoke("${MESSAGE}").content)`,
      ]),
    }),
}

/** Its own class for OpenAI takes only names of models that it knows. */
const llamaIndex: ClientDescription = {
  id: 'llama-index',
  name: 'LlamaIndex (Python)',
  category: 'sdk',
  protocols: ['openai-chat'],
  advice: ['keep_out_of_repository'],
  systems: ({ openaiBaseUrl }) =>
    programSystems({
      install: pipInstall('llama-index-llms-openai-like'),
      set: [['TOLLGATE_API_KEY', '{key}']],
      code: pythonCode('hello_llama_index.py', [
        'import os',
        '',
        'from llama_index.llms.openai_like import OpenAILike',
        '',
        'model = OpenAILike(',
        '    model="{model}",',
        `    api_base="${openaiBaseUrl}",`,
        '    api_key=os.environ["TOLLGATE_API_KEY"],',
        '    is_chat_model=True,',
        ')',
        `print(model.complete("${MESSAGE}").text)`,
      ]),
    }),
}

export const SDK_CLIENTS: readonly ClientDescription[] = [
  openaiPython,
  openaiJavascript,
  anthropicPython,
  anthropicJavascript,
  googlePython,
  googleJavascript,
  vercelAiSdk,
  langChain,
  langChainPython,
  llamaIndex,
]

interface Program {
  readonly install: NonNullable<TerminalSetup['install']>
  readonly set: readonly (readonly [name: string, value: string])[]
  readonly code: SetupTextStep & { readonly path: string }
}

/** Set the variables, save the program, run it. */
function programSystems({ install, set, code }: Program): SetupWay['systems'] {
  const run = code.language === 'python' ? PYTHON : 'node'
  return terminalSystems({ install, set, try: [run, code.path] }).map(({ system, steps }) => ({
    system,
    steps: steps.flatMap((step): SetupStep[] => (step.purpose === 'try' ? [code, step] : [step])),
  }))
}

function pythonCode(path: string, lines: readonly string[]): Program['code'] {
  return codeStep({ language: 'python', path, escapes: ['json'], lines })
}

function javascriptCode(path: string, lines: readonly string[]): Program['code'] {
  return codeStep({ language: 'javascript', path, escapes: ['javascript'], lines })
}

function codeStep(about: {
  language: SetupTextStep['language']
  path: string
  escapes: SetupTextStep['escapes']
  lines: readonly string[]
}): Program['code'] {
  return {
    kind: 'code',
    purpose: 'try',
    note: 'save_and_run',
    language: about.language,
    path: about.path,
    merge: false,
    escapes: about.escapes,
    text: about.lines.join('\n'),
    marked_text: null,
  }
}
