import { GoogleGenAI } from '@google/genai'
import { doTasks, MOST_TURNS, readFile, schema, toolText } from './task.mjs'

await doTasks(async (task, stream) => {
  const client = new GoogleGenAI({ apiKey: task.key, httpOptions: { baseUrl: task.origin } })
  const contents = [{ role: 'user', parts: [{ text: task.prompt }] }]
  const { totalTokens } = await client.models.countTokens({ model: task.model, contents })
  if (!(totalTokens > 0)) throw new Error('no tokens counted')
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const asked = {
      model: task.model,
      contents,
      config: {
        systemInstruction: 'Be short.',
        thinkingConfig: { includeThoughts: true },
        tools: [{ functionDeclarations: [{ ...toolText, parametersJsonSchema: schema }] }],
        toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      },
    }
    const chunks = []
    if (stream) for await (const chunk of await client.models.generateContentStream(asked)) chunks.push(chunk)
    else chunks.push(await client.models.generateContent(asked))
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const last = chunks.at(-1)
    if (String(last.candidates?.[0]?.finishReason) !== 'STOP')
      throw new Error(`finishReason ${last.candidates?.[0]?.finishReason}`)
    if (!(last.usageMetadata?.totalTokenCount > 0)) throw new Error('no usage')
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
    if (calls.length === 0) return parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join('')
    const results = calls.map(({ id, name, args }) => {
      return { functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: readFile(args) } } }
    })
    contents.push({ role: 'user', parts: results })
  }
  throw new Error('no end')
})
