/** The gateway beside itself: what it takes to translate, beside what it takes to pass the same through. */
import { gatewayModel, type UpstreamProtocol } from '../gateway-models.ts'
import type { ClientWire } from '../request-body.ts'
import type { TranslatedName, Workload } from '../workload.ts'
import { FAST_STREAM, LARGE_SHAPE, PACED_STREAM, SMALL_SHAPE, STEADY, WHOLE } from './shapes.ts'

const BESIDE_PASSING = ['gateway', 'translating'] as const

/** A client's wire as it passes through, and what the upstream speaks in the model beside it. */
function fastStream(
  name: TranslatedName,
  wire: ClientWire,
  [own, other]: readonly [UpstreamProtocol, UpstreamProtocol],
): Workload {
  return {
    name,
    title: `streams of 100 chunks as fast as they go, a ${wire} client on ${own} (passed through) and on ${other} (translated)`,
    subjects: BESIDE_PASSING,
    wire,
    ...FAST_STREAM,
    ...STEADY,
    gatewayModel: gatewayModel(own, 'stream'),
    translatedModel: gatewayModel(other, 'stream'),
  }
}

export const TRANSLATED_WORKLOADS: Readonly<Record<TranslatedName, Workload>> = {
  'translated-stream': fastStream('translated-stream', 'chat', ['openai', 'anthropic']),
  'translated-gemini': fastStream('translated-gemini', 'chat', ['openai', 'gemini']),
  'translated-responses': fastStream('translated-responses', 'responses', ['openai', 'anthropic']),
  'translated-messages': fastStream('translated-messages', 'messages', ['anthropic', 'openai']),
  'translated-paced': {
    name: 'translated-paced',
    title: 'chat streams of 100 chunks, one every 50 ms, 40 a second offered, passed through and from messages',
    subjects: BESIDE_PASSING,
    ...PACED_STREAM,
    ...STEADY,
    translatedModel: gatewayModel('anthropic', 'paced'),
  },
  'translated-plain': {
    name: 'translated-plain',
    title: '1 KB chat, not streamed, passed through and to messages, 32 connections, closed loop',
    subjects: BESIDE_PASSING,
    ...WHOLE,
    ...SMALL_SHAPE,
    ...STEADY,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
  'translated-large': {
    name: 'translated-large',
    title: '200 KB coding-agent prompt, not streamed, passed through and to messages, 10 connections, closed loop',
    subjects: BESIDE_PASSING,
    ...WHOLE,
    ...LARGE_SHAPE,
    ...STEADY,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
}
