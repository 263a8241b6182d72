/** `fake/agent`: judges a request as strictly as the provider, and answers as a model that uses tools. */
import { crc32 } from 'node:zlib'
import { refused } from '../failures.ts'
import type { GeminiCall } from '../gemini-path.ts'
import type { JsonObject } from '../json.ts'
import { writeWithUnknown } from '../json.ts'
import type { Script } from '../model-name.ts'
import type { Part, Plan } from '../plan.ts'
import { planFailure, planStream, planWhole } from '../plan.ts'
import { deriveUsage } from '../usage.ts'
import type { WireName } from '../wire.ts'
import { chatAgent } from './chat-agent.ts'
import { geminiAgent } from './gemini-agent.ts'
import { messagesAgent } from './messages-agent.ts'
import { responsesAgent } from './responses-agent.ts'
import type { AgentAnswer, AgentWire } from './situation.ts'
import { takeTurn } from './take-turn.ts'

const AGENTS: Readonly<Record<WireName, AgentWire>> = {
  chat: chatAgent,
  responses: responsesAgent,
  messages: messagesAgent,
  gemini: geminiAgent,
}

export interface AgentRequest {
  readonly wire: WireName
  readonly gemini: GeminiCall | null
  readonly model: string
  readonly script: Script
  readonly body: Buffer
  readonly request: JsonObject
  readonly header: (name: string) => string
  /** What the provider sends with every answer. */
  readonly headers: readonly string[]
}

export function planAgent(call: AgentRequest): Plan {
  const { wire, gemini, model, script, body, request, headers } = call
  const agent = AGENTS[wire]
  const refusal = agent.judge(request, call.header)
  if (refusal !== null) return planFailure(refused(wire, refusal), script)
  const situation = agent.read(request)
  const id = [crc32(body), crc32(body, 1), body.length].map((part) => part.toString(16).padStart(8, '0')).join('')
  const turn = takeTurn(situation, id)
  const said = [turn.thought ?? '', turn.text, turn.call?.input ?? ''].join('')
  const derived = deriveUsage(body, Buffer.byteLength(said))
  const usage = { ...derived, ...(turn.thought === null ? { reasoning: 0 } : {}), ...script.usage }
  const answer: AgentAnswer = { model, id, turn, situation, usage, request }
  const stream = gemini === null ? situation.stream : gemini.method === 'streamGenerateContent'
  if (!stream) {
    const whole = { bytes: Buffer.from(writeWithUnknown(agent.writeWhole(answer))), reports: usage }
    return planWhole(script, whole, headers)
  }
  const parts: Part[] = agent.writeStream(answer).map((event) => {
    return { bytes: Buffer.from(event.text), reports: event.reports ?? null }
  })
  return planStream(script, parts, headers)
}
