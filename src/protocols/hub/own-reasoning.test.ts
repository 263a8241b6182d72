import { expect, test } from 'vitest'
import { anthropicMessages } from '../anthropic-messages.ts'
import { writeOpaque } from './opaque-reasoning.ts'
import { openaiResponses } from '../openai-responses.ts'

const OF_OPENAI = writeOpaque({ vendor: 'openai', data: 'gAAA', id: 'rs_1' }, 'anthropic')
const OF_ANTHROPIC = writeOpaque({ vendor: 'anthropic', data: 'EqQB' }, 'openai')
const OWN = { type: 'thinking', thinking: 'mine', signature: 'EqQB' }
const FOREIGN = { type: 'thinking', thinking: 'theirs', signature: OF_OPENAI }
const HIDDEN = { type: 'redacted_thinking', data: OF_OPENAI }
const CALL = { type: 'tool_use', id: 't', name: 'f', input: { x: 1 } }
const ASKED = { role: 'user', content: 'go' }
const RESULT = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] }

function rewritten(protocol: typeof anthropicMessages, request: object): unknown {
  const body = Buffer.from(JSON.stringify(request))
  const pieces = protocol.rewriteRequest(body, protocol.readRequest(body), { model: 'up', askForUsage: false })
  return JSON.parse(Buffer.concat(pieces).toString())
}

function messagesOf(...messages: readonly object[]): unknown {
  return (rewritten(anthropicMessages, { model: 'm', odd: { a: [1] }, messages }) as { messages: unknown }).messages
}

test('thinking that another model signed does not reach Anthropic, and everything else does', () => {
  expect(messagesOf(ASKED, { role: 'assistant', content: [FOREIGN, HIDDEN, OWN, CALL] }, RESULT)).toEqual([
    ASKED,
    { role: 'assistant', content: [OWN, CALL] },
    RESULT,
  ])
  const request = { model: 'm', odd: { a: [1] }, messages: [{ role: 'assistant', content: [FOREIGN, CALL] }] }
  const messages = [{ role: 'assistant', content: [CALL] }]
  expect(rewritten(anthropicMessages, request)).toEqual({ model: 'up', odd: { a: [1] }, messages })
})

test('a message that held nothing else goes with it', () => {
  expect(messagesOf(ASKED, { role: 'assistant', content: [FOREIGN] }, ASKED)).toEqual([ASKED, ASKED])
})

test('a body with the mark in its words only, and one whose inside is not JSON, pass byte for byte', () => {
  for (const content of [JSON.stringify(`say ${OF_OPENAI}`), `[{"type":"thinking","signature":"${OF_OPENAI}"} oops]`]) {
    const body = Buffer.from(`{ "model": "m",  "messages": [{"role":"user","content":${content}}] }`)
    const head = anthropicMessages.readRequest(body)
    expect(anthropicMessages.rewriteRequest(body, head, { model: 'm', askForUsage: false })).toEqual([body])
  }
})

test('thinking by a budget is switched off where the thought before a tool call is gone, as Anthropic refuses it then', () => {
  const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses_20250919' }]
  const withThinking = { model: 'm', thinking: { type: 'enabled', budget_tokens: 2000 }, context_management: { edits } }
  const inMidst = [ASKED, { role: 'assistant', content: [FOREIGN, CALL] }, RESULT]
  const reminder = { role: 'system', content: 'be brief' }
  for (const messages of [
    inMidst,
    [...inMidst, reminder],
    [...inMidst, { role: 'assistant', content: [CALL] }, RESULT],
  ]) {
    const off = rewritten(anthropicMessages, { ...withThinking, messages })
    expect(off).not.toHaveProperty('thinking')
    expect(off).toMatchObject({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } })
  }
  const kept = [ASKED, { role: 'assistant', content: [FOREIGN, OWN, CALL] }, RESULT]
  const spoken = { role: 'user', content: [...RESULT.content, { type: 'text', text: 'and now' }] }
  const anew = [...inMidst.slice(0, 2), spoken, { role: 'assistant', content: [OWN, CALL] }, RESULT]
  const further = [...kept, { role: 'assistant', content: [CALL] }, RESULT]
  for (const messages of [kept, further, anew, [...inMidst, { role: 'assistant', content: 'so' }, ASKED]]) {
    expect(rewritten(anthropicMessages, { ...withThinking, messages })).toMatchObject({ ...withThinking, model: 'up' })
  }
})

test('items of reasoning that another model encrypted do not reach OpenAI', () => {
  const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
  const foreign = { ...own, encrypted_content: OF_ANTHROPIC }
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: OF_ANTHROPIC }
  const request = { model: 'm', store: false, input: [foreign, own, call] }
  expect(rewritten(openaiResponses, request)).toEqual({ model: 'up', store: false, input: [own, call] })
})
