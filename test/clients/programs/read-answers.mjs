// Reads single answers with the SDKs that clients are made of: prints a line of JSON for each of the tasks in the file TASKS.
import { readFileSync } from 'node:fs'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { GoogleGenAI } from '@google/genai'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, jsonSchema, streamText, tool } from 'ai'

const schema = { type: 'object', properties: { id: { type: 'number' } } }
const name = 'look_up'
const first = (calls, read) => (calls.length === 0 ? null : read(calls[0]))

function byVercel(make) {
  return async (task) => {
    const settings = { baseURL: `${task.origin}/v1`, apiKey: task.key }
    const tools = { [name]: tool({ inputSchema: jsonSchema(schema) }) }
    const asked = { model: make(settings, task.model), prompt: task.prompt, maxRetries: 0, tools }
    let failure
    const answer = task.isStream
      ? streamText({ ...asked, onError: ({ error }) => (failure = error) })
      : await generateText(asked)
    if (task.isStream) await answer.consumeStream()
    if (failure !== undefined) throw failure
    const calls = await answer.toolCalls
    return { text: await answer.text, call: first(calls, ({ toolName, input }) => ({ name: toolName, input })) }
  }
}

function byLangChain(make) {
  return async (task) => {
    const model = make(task).bindTools([{ type: 'function', function: { name, parameters: schema } }])
    let answer
    if (task.isStream)
      for await (const chunk of await model.stream(task.prompt)) answer = answer?.concat(chunk) ?? chunk
    else answer = await model.invoke(task.prompt)
    return {
      text: answer.text,
      call: first(answer.tool_calls ?? [], ({ name: called, args }) => ({ name: called, input: args })),
    }
  }
}

const openai = ({ model, key, origin }) => {
  return { model, apiKey: key, maxRetries: 0, configuration: { baseURL: `${origin}/v1` } }
}

async function byGoogle(task) {
  const client = new GoogleGenAI({ apiKey: task.key, httpOptions: { baseUrl: task.origin } })
  const config = { tools: [{ functionDeclarations: [{ name, parametersJsonSchema: schema }] }] }
  const asked = { model: task.model, contents: task.prompt, config }
  const chunks = []
  if (task.isStream) for await (const chunk of await client.models.generateContentStream(asked)) chunks.push(chunk)
  else chunks.push(await client.models.generateContent(asked))
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
  return {
    text: parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
    call: first(calls, ({ name: called, args }) => ({ name: called, input: args })),
  }
}

const READERS = {
  'google-genai': byGoogle,
  'ai-openai-chat': byVercel((settings, model) => createOpenAI(settings).chat(model)),
  'ai-openai-responses': byVercel((settings, model) => createOpenAI(settings)(model)),
  'ai-openai-compatible': byVercel((settings, model) =>
    createOpenAICompatible({ ...settings, name: 'tollgate' })(model),
  ),
  'ai-anthropic': byVercel((settings, model) => createAnthropic(settings)(model)),
  'langchain-openai-chat': byLangChain((task) => new ChatOpenAI(openai(task))),
  'langchain-openai-responses': byLangChain((task) => new ChatOpenAI({ ...openai(task), useResponsesApi: true })),
  'langchain-anthropic': byLangChain(
    ({ model, key, origin }) =>
      new ChatAnthropic({ model, apiKey: key, maxRetries: 0, maxTokens: 4_000, anthropicApiUrl: origin }),
  ),
}

for (const task of JSON.parse(readFileSync(process.env.TASKS, 'utf8'))) {
  try {
    console.log(JSON.stringify({ id: task.id, ...(await READERS[task.reader](task)) }))
  } catch (error) {
    console.log(JSON.stringify({ id: task.id, error: error instanceof Error ? error.message : String(error) }))
  }
}
