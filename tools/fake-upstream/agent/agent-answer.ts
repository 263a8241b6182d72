/** `fake/agent`: judges a request as strictly as the provider, and answers as a model that uses tools. */
import type { IncomingMessage } from 'node:http'
import type { AnswerBlock } from '../../../src/protocols/chat-simulation.ts'
import { type Answering, callId, idOf } from '../answer.ts'
import type { Answer } from '../answer-writer.ts'
import type { WireName } from '../ask.ts'
import { type Failure, type Refusal, refused } from '../failures.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { deriveUsage } from '../usage.ts'
import { judgeChat } from './chat-rules.ts'
import { judgeGemini } from './gemini-rules.ts'
import { judgeMessages } from './messages-rules.ts'
import { judgeResponses } from './responses-rules.ts'
import { sign } from './signature.ts'
import { takeTurn, type Turn } from './take-turn.ts'

/** `hidden`: the agent thinks, and shows the signature alone. */
type Thinking = 'none' | 'shown' | 'hidden'

/** A provider as strict as its own: it shares nothing with how the hub reads and writes. */
interface StrictProvider {
  /** The rule that the request breaks, by its body and headers; null when it breaks none. */
  judge(request: JsonFields, incoming: IncomingMessage): Refusal | null
  thinking(request: JsonFields): Thinking
  /** The blocks of a thought: before the text, and after it. */
  thoughts(thought: string, about: { readonly shown: string; readonly request: JsonFields }): readonly AnswerBlock[][]
}

const PROVIDERS: Readonly<Record<WireName, StrictProvider>> = {
  // Many providers of this wire show their thoughts in `reasoning_content`.
  chat: {
    judge: judgeChat,
    thinking: (request) => (request['reasoning_effort'] === 'none' ? 'none' : 'shown'),
    thoughts: (thought) => [[reasoning(thought)], []],
  },
  responses: {
    judge: judgeResponses,
    thinking: (request) => {
      if (!thinksInResponses(request)) return 'none'
      return (objectOf(request['reasoning'])['summary'] ?? null) === null ? 'hidden' : 'shown'
    },
    // A thought is given in cipher only to those who ask for it, and its summary likewise.
    thoughts: (thought, { shown, request }) => [
      [reasoning(shown, asksForCipher(request) ? { vendor: 'openai', data: sign('responses', thought) } : null)],
      [],
    ],
  },
  messages: {
    judge: judgeMessages,
    thinking: (request) => {
      const { type, display } = objectOf(request['thinking'])
      if (!['enabled', 'adaptive', 'between_tools'].includes(stringOf(type))) return 'none'
      return display === 'omitted' ? 'hidden' : 'shown'
    },
    thoughts: (thought, { shown }) => [
      [reasoning(shown, { vendor: 'anthropic', data: sign('messages', thought) })],
      [],
    ],
  },
  gemini: {
    judge: judgeGemini,
    thinking: (request) => {
      const { thinkingBudget, includeThoughts } = objectOf(objectOf(request['generationConfig'])['thinkingConfig'])
      return thinkingBudget === 0 ? 'none' : includeThoughts === true ? 'shown' : 'hidden'
    },
    // The signature stands on the call, or, without one, on the last part of the answer.
    thoughts: (thought, { shown }) => [
      shown === '' ? [] : [reasoning(shown)],
      [reasoning('', { vendor: 'google', data: sign('gemini', thought) })],
    ],
  },
  // Models of many makers: what they refuse stands in the front of the cloud (`clouds/bedrock.ts`).
  converse: { judge: () => null, thinking: () => 'none', thoughts: () => [[], []] },
}

/** The agent's answer, or the refusal of a request that breaks a rule of its provider. */
export function agentAnswer(answering: Answering, incoming: IncomingMessage): Answer | Failure {
  const { wire, model, script, ask, body, request } = answering
  const { judge, thinking: thinkingOf, thoughts } = PROVIDERS[wire]
  const refusal = judge(request, incoming)
  if (refusal !== null) return refused(wire, refusal)
  const thinking = thinkingOf(request)
  const id = idOf(body)
  const turn = takeTurn(ask, { id, thinks: thinking !== 'none' })
  const { thought, text, call } = turn
  const shown = thinking === 'shown' ? (thought ?? '') : ''
  const [before = [], after = []] = thought === null ? [] : thoughts(thought, { shown, request })
  const derived = deriveUsage(body, Buffer.byteLength([thought ?? '', text, call?.input ?? ''].join('')))
  const stop = { reason: call === null ? 'end' : 'tool_calls', sequence: null } as const
  return {
    wire,
    model,
    sentinel: script.sentinel,
    id,
    content: {
      choices: [{ blocks: [...before, { kind: 'text', text }, ...after, ...callBlocks(wire, id, turn)], stop }],
    },
    piecesOf: (whole) => whole.match(/[\s\S]{1,12}/gu) ?? [],
    usage: { ...derived, ...(thought === null ? { reasoning: 0 } : {}), ...script.usage },
    ask,
    body: request,
  }
}

function callBlocks(wire: WireName, id: string, { call }: Turn): AnswerBlock[] {
  if (call === null) return []
  const { tool, input } = call
  return [{ kind: 'tool_call', id: callId(wire, id), name: tool.name, input, isCustom: tool.kind === 'custom' }]
}

function reasoning(text: string, opaque: Extract<AnswerBlock, { kind: 'reasoning' }>['opaque'] = null): AnswerBlock {
  return { kind: 'reasoning', text, opaque }
}

/** Whether the agent thinks on the responses wire: not where a thought would be lost, neither kept there nor given in cipher. */
function thinksInResponses(request: JsonFields): boolean {
  const effort = objectOf(request['reasoning'])['effort'] ?? null
  return effort !== 'none' && (request['store'] !== false || asksForCipher(request) || effort !== null)
}

function asksForCipher(request: JsonFields): boolean {
  return listOf(request['include']).includes('reasoning.encrypted_content')
}
