/** The agent over Gemini. */
import { geminiUsage, resultText } from '../gemini-wire.ts'
import type { JsonObject } from '../json.ts'
import { listOf, objectOf, stringOf, writeWithUnknown } from '../json.ts'
import type { Usage } from '../usage.ts'
import type { StreamEvent } from '../wire.ts'
import { judgeGemini } from './gemini-rules.ts'
import { piecesOf } from './pieces.ts'
import { sign } from './signature.ts'
import type { AgentAnswer, AgentWire, OfferedTool, Situation } from './situation.ts'

export const geminiAgent: AgentWire = { judge: judgeGemini, read, writeWhole, writeStream }

function read(request: JsonObject): Situation {
  const contents = listOf(request['contents']).map(objectOf)
  const users = contents.filter((content) => content['role'] !== 'model')
  const results = partsOf(contents.at(-1)).filter((part) => part['functionResponse'] !== undefined)
  const calling = objectOf(objectOf(request['toolConfig'])['functionCallingConfig'])
  const thinking = objectOf(objectOf(request['generationConfig'])['thinkingConfig'])
  return {
    stream: false,
    includeUsage: true,
    tools: calling['mode'] === 'NONE' ? [] : toolsOf(request),
    spoken: users.flatMap((content) => partsOf(content).map((part) => stringOf(part['text']))),
    toolResult: results.length === 0 ? null : results.map(resultText).join('\n'),
    thinking: thinking['thinkingBudget'] === 0 ? 'none' : thinking['includeThoughts'] === true ? 'shown' : 'hidden',
  }
}

function partsOf(content: JsonObject | undefined): JsonObject[] {
  return listOf(content?.['parts']).map(objectOf)
}

function toolsOf(request: JsonObject): OfferedTool[] {
  return listOf(request['tools'])
    .flatMap((tool) => listOf(objectOf(tool)['functionDeclarations']))
    .map(objectOf)
    .map((one) => {
      const schema = objectOf(one['parametersJsonSchema'] ?? one['parameters'])
      return { kind: 'function', name: stringOf(one['name']), namespace: null, schema }
    })
}

/** The signature stands on the call, or, without one, on the last part of the answer. */
function partsFor(answer: AgentAnswer): { thoughts: JsonObject[]; texts: JsonObject[]; last: JsonObject } {
  const { thought, text, call } = answer.turn
  const shown = answer.situation.thinking === 'shown' ? (thought ?? '') : ''
  const signed = thought === null ? {} : { thoughtSignature: sign('gemini', thought) }
  const last =
    call === null
      ? { text: '', ...signed }
      : { functionCall: { id: `fc-${answer.id}`, name: call.tool.name, args: call.arguments }, ...signed }
  return {
    thoughts: piecesOf(shown).map((piece) => ({ text: piece, thought: true })),
    texts: piecesOf(text).map((piece) => ({ text: piece })),
    last,
  }
}

function writeWhole(answer: AgentAnswer): JsonObject {
  const { thoughts, last } = partsFor(answer)
  const { thought, text, call } = answer.turn
  const shown = thoughts.length === 0 ? [] : [{ text: thought, thought: true }]
  const parts = call === null ? [{ ...last, text }] : [{ text }, last]
  return fieldsOf(answer, { parts: [...shown, ...parts], usage: answer.usage, ends: true })
}

function writeStream(answer: AgentAnswer): StreamEvent[] {
  const { thoughts, texts, last } = partsFor(answer)
  const begun = { ...answer.usage, output: Math.min(answer.usage.output, 1), reasoning: 0 }
  const event = (part: JsonObject, ends: boolean): StreamEvent => {
    const usage = ends ? answer.usage : begun
    const text = `data: ${writeWithUnknown(fieldsOf(answer, { parts: [part], usage, ends }))}\r\n\r\n`
    return { text, reports: usage }
  }
  return [...[...thoughts, ...texts].map((part) => event(part, false)), event(last, true)]
}

function fieldsOf(
  answer: AgentAnswer,
  chunk: { parts: readonly JsonObject[]; usage: Usage; ends: boolean },
): JsonObject {
  const finish = chunk.ends ? { finishReason: 'STOP' } : {}
  return {
    candidates: [{ content: { role: 'model', parts: chunk.parts }, ...finish, index: 0 }],
    usageMetadata: geminiUsage(chunk.usage),
    modelVersion: answer.model,
    responseId: answer.id,
  }
}
