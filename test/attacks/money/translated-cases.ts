/** Cases by way of a translation: the client speaks one protocol, the model's only upstream another. */
import { type MoneyCase, moneyCase } from './money-case.ts'
import { parts, said } from './wire-calls.ts'

const SHORT = 'Write 20 words.'
const HIDDEN = 'Think 5000. Write 20 words. Wait 300 ms.'
const picture = { type: 'image_url', image_url: { url: 'https://x.test/p/30000' } }
const left = { model: 'thinking', isStream: true, leaves: 'stop', rule: 'by-last-answers' } as const

export const TRANSLATED_CASES: readonly MoneyCase[] = [
  moneyCase(
    ['translated', 'chat', 'names a picture by its URL, to Anthropic'],
    {
      ...said([{ type: 'text', text: SHORT }, picture]),
      max_tokens: 64,
    },
    { only: 'anthropic', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'chat', 'names a picture by its URL, to Google'],
    {
      ...said([{ type: 'text', text: SHORT }, picture]),
      max_tokens: 64,
    },
    { only: 'gemini', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'messages', 'names a picture by its URL, to OpenAI'],
    {
      ...said([
        { type: 'text', text: SHORT },
        { type: 'image', source: { type: 'url', url: 'https://x.test/30000' } },
      ]),
      max_tokens: 64,
    },
    { only: 'openai', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'messages', 'names a document by its URL, to OpenAI'],
    {
      ...said([
        { type: 'text', text: SHORT },
        { type: 'document', source: { type: 'url', url: 'https://x.test/90000' } },
      ]),
      max_tokens: 64,
    },
    { only: 'openai', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'responses', 'names a picture by its URL, to Anthropic'],
    {
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://x.test/p/30000' }] }],
      max_output_tokens: 64,
    },
    { only: 'anthropic', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'gemini', 'names a stored file, to OpenAI'],
    parts({ text: SHORT }, { fileData: { fileUri: 'https://x.test/files/80000', mimeType: 'image/png' } }),
    { only: 'openai', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'responses', 'searches the web, to Anthropic'],
    {
      input: 'Search 2 times. Write 20 words.',
      tools: [{ type: 'web_search' }],
      max_output_tokens: 64,
    },
    { only: 'anthropic', bound: 'one' },
  ),
  moneyCase(
    ['translated', 'chat', 'asks for priority, to Anthropic'],
    {
      ...said('Write 300 words.'),
      service_tier: 'priority',
    },
    { only: 'anthropic' },
  ),
  moneyCase(
    ['translated', 'messages', 'asks for speed, to OpenAI'],
    {
      ...said('Write 300 words.'),
      max_tokens: 512,
      speed: 'fast',
    },
    { only: 'openai' },
  ),
  moneyCase(
    ['translated', 'gemini', 'asks for eight candidates, to OpenAI'],
    {
      ...parts({ text: 'Write 5000 words.' }),
      generationConfig: { candidateCount: 8, maxOutputTokens: 512 },
    },
    { only: 'openai' },
  ),
  moneyCase(
    ['translated', 'chat', 'says `max_tokens: 0`, to Anthropic'],
    { ...said('Write 400 words.'), max_tokens: 0 },
    {
      only: 'anthropic',
    },
  ),
  moneyCase(['translated', 'chat', 'leaves after the last word of a thinker, at Google'], said(HIDDEN), {
    ...left,
    only: 'gemini',
  }),
  moneyCase(
    ['translated', 'messages', 'leaves after the last word of a thinker, at OpenAI'],
    {
      ...said(HIDDEN),
      max_tokens: 9_000,
    },
    { ...left, only: 'openai' },
  ),
  moneyCase(
    ['translated', 'responses', 'leaves after the last word of a thinker, at Anthropic'],
    { input: HIDDEN },
    {
      ...left,
      only: 'anthropic',
    },
  ),
]
