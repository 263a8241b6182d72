/** Output that is more than it seems: many answers, limits that are read otherwise, thinking, what is not text. */
import { escaped, type MoneyCase, moneyCase } from './money-case.ts'
import { parts, said } from './wire-calls.ts'

const LONG = 'Write 20000 words.'
const thinking = { model: 'thinking' } as const
const streamed = { isStream: true } as const

/** A token for each byte, of which three are taken for one. */
const DENSE = `Wait 500 ms. ${String.fromCodePoint(0x13000, 0x13001, 0x13002).repeat(10_000)}`
/** A purse of thirty cents: with one, the steps that each request may pass it by hide what is held too low. */
const thirty = { purseUsd: '0.3', bound: 'one' } as const

function prompts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Write 300 words on ${index}.`)
}

const pictures = Array.from({ length: 250 }, (_, index) => ({
  type: 'input_image',
  image_url: `https://x.test/${index}/1500`,
}))

export const HOLDS_CASES: readonly MoneyCase[] = [
  moneyCase(['holds', 'chat', 'writes a whole answer without a limit'], said(LONG)),
  moneyCase(['holds', 'messages', 'writes a long whole answer'], { ...said(LONG), max_tokens: 20_000 }),
  moneyCase(['holds', 'responses', 'writes a whole answer without a limit'], { input: LONG }),
  moneyCase(['holds', 'gemini', 'writes a whole answer without a limit'], parts({ text: LONG })),
  moneyCase(['holds', 'chat', 'writes a stream without a limit'], said(LONG), streamed),
  moneyCase(['holds', 'messages', 'writes a long stream'], { ...said(LONG), max_tokens: 20_000 }, streamed),
  moneyCase(['holds', 'responses', 'writes a stream without a limit'], { input: LONG }, streamed),
  moneyCase(['holds', 'gemini', 'writes a stream without a limit'], parts({ text: LONG }), streamed),
  moneyCase(
    ['holds', 'chat', 'thinks for 20,000 tokens before a short stream'],
    { ...said('Think 20000. Write 20 words.'), max_completion_tokens: 30_000 },
    { ...thinking, ...streamed },
  ),
  moneyCase(
    ['holds', 'messages', 'thinks for 20,000 tokens before a short stream'],
    { ...said('Think 20000. Write 20 words.'), max_tokens: 30_000, thinking: { type: 'adaptive', display: 'omitted' } },
    { ...thinking, ...streamed },
  ),
  moneyCase(
    ['holds', 'responses', 'thinks for 20,000 tokens before a short stream'],
    { input: 'Think 20000. Write 20 words.', max_output_tokens: 30_000 },
    { ...thinking, ...streamed },
  ),
  moneyCase(
    ['holds', 'gemini', 'thinks for 20,000 tokens before a short stream'],
    parts({ text: 'Think 20000. Write 20 words.' }),
    { ...thinking, ...streamed },
  ),
  moneyCase(
    ['holds', 'responses', 'thinks for 20,000 tokens before a short whole answer'],
    {
      input: 'Think 20000. Write 20 words.',
    },
    thinking,
  ),
  moneyCase(['holds', 'chat', 'asks for twenty answers at once'], { ...said(LONG), n: 20, max_tokens: 512 }),
  moneyCase(['holds', 'chat', 'asks for twenty streams in one'], { ...said(LONG), n: 20, max_tokens: 512 }, streamed),
  moneyCase(['holds', 'completions', 'has the best of twenty chosen'], { prompt: LONG, best_of: 20, max_tokens: 512 }),
  moneyCase(['holds', 'completions', 'sends twenty prompts in one'], { prompt: prompts(20), max_tokens: 300 }),
  moneyCase(['holds', 'gemini', 'asks for eight candidates'], {
    ...parts({ text: LONG }),
    generationConfig: { candidateCount: 8, maxOutputTokens: 512 },
  }),
  moneyCase(
    ['holds', 'responses', 'sends 250 pictures by their URL'],
    {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Write 20 words.' }, ...pictures] }],
      max_output_tokens: 64,
    },
    { bound: 'one', rule: 'beyond-context' },
  ),
  moneyCase(['holds', 'chat', 'says a small `max_tokens` and a large `max_completion_tokens`'], {
    ...said(LONG),
    max_tokens: 16,
    max_completion_tokens: 20_000,
  }),
  moneyCase(
    ['holds', 'chat', 'says `max_tokens` twice, the second time escaped'],
    {
      ...said(LONG),
      max_tokens: 16,
      SECOND: 20_000,
    },
    { rewrite: [['"SECOND"', `"${escaped('max_tokens')}"`]] },
  ),
  moneyCase(
    ['holds', 'chat', 'says `n` with an escape'],
    { ...said(LONG), SECOND: 20, max_tokens: 512 },
    {
      rewrite: [['"SECOND"', `"${escaped('n')}"`]],
    },
  ),
  moneyCase(['holds', 'gemini', 'says its limit in snake case'], {
    ...parts({ text: LONG }),
    generation_config: { max_output_tokens: 20_000, candidate_count: 4 },
  }),
  moneyCase(['holds', 'gemini', 'says its limit in both cases'], {
    ...parts({ text: LONG }),
    generationConfig: { maxOutputTokens: 16, max_output_tokens: 20_000 },
  }),
  moneyCase(
    ['holds', 'chat', 'calls a model that honours no limit'],
    { ...said('Write 9000 words.'), max_tokens: 64 },
    {
      model: 'unbounded',
      bound: 'one',
    },
  ),
  moneyCase(
    ['holds', 'chat', 'calls a model that honours no limit and was not called before'],
    { ...said('Write 9000 words. Wait 300 ms.'), max_tokens: 64 },
    { model: 'unbounded-cold', bound: 'one', isCold: true },
  ),
  moneyCase(
    ['holds', 'chat', 'calls a model that honours no limit and has answered briefly'],
    { ...said('Write 9000 words. Wait 300 ms.'), max_tokens: 64 },
    { model: 'unbounded-brief', only: 'openai', bound: 'one', isCold: true, isBriefFirst: true },
  ),
  ...(
    [
      ['embeddings', { input: [1, `Wait 500 ms. ${'word '.repeat(20_000)}`] }],
      ['completions', { prompt: [1, `Wait 500 ms. ${'word '.repeat(20_000)}`], max_tokens: 16 }],
      [
        'completions',
        { prompt: [1, ...Array.from({ length: 20 }, () => 'Wait 300 ms. Write 300 words.')], max_tokens: 300 },
      ],
    ] as const
  ).map(([wire, fields], index) =>
    moneyCase(
      ['holds', wire, index === 2 ? 'hides twenty prompts behind a number' : 'hides a text behind a number'],
      fields,
    ),
  ),
  moneyCase(
    ['holds', 'chat', 'writes escapes in a long text of other signs'],
    { ...said('TEXT Wait 500 ms.'), max_tokens: 16 },
    {
      rewrite: [
        [
          'TEXT',
          `${'!'.repeat(4_490)}${String.raw`\u0021`.repeat(14)}${'!'.repeat(2_200)}${String.raw`\u0021`.repeat(14)}${'!'.repeat(2_200)}`,
        ],
      ],
    },
  ),
  moneyCase(
    ['holds', 'chat', 'writes what looks like escapes'],
    { ...said('TEXT Wait 500 ms.'), max_tokens: 16 },
    { rewrite: [['TEXT', String.raw`\\u0021`.repeat(1_300)]] },
  ),
  moneyCase(
    ['holds', 'messages', 'passes a text for a document'],
    {
      ...said([
        { type: 'document', source: { type: 'KIND', media_type: 'text/plain', x: 'base64', data: 'A'.repeat(60_000) } },
        { type: 'text', text: 'Write 20 words. Wait 500 ms.' },
      ]),
      max_tokens: 64,
    },
    {
      rewrite: [
        ['"KIND"', String.raw`"t\u0065xt"`],
        ['text/plain', String.raw`t\u0065xt/plain`],
      ],
    },
  ),
  moneyCase(
    ['holds', 'messages', 'calls a model that honours no limit, streamed'],
    { ...said('Write 9000 words.'), max_tokens: 64 },
    { model: 'unbounded', bound: 'one', rule: 'ignores-limit', ...streamed },
  ),
  moneyCase(
    ['holds', 'chat', 'asks for a spoken answer'],
    {
      ...said('Write 300 words.'),
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'wav' },
      max_tokens: 300,
    },
    { bound: 'one' },
  ),
  moneyCase(
    ['holds', 'gemini', 'asks for a drawing'],
    {
      ...parts({ text: 'Write 20 words.' }),
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], maxOutputTokens: 64 },
    },
    { bound: 'one' },
  ),
  moneyCase(
    ['holds', 'chat', 'predicts an answer that does not come'],
    {
      ...said('Write 20 words.'),
      prediction: { type: 'content', content: 'word '.repeat(2_000) },
      max_completion_tokens: 64,
    },
    { bound: 'one' },
  ),
  moneyCase(['holds', 'embeddings', 'embeds a text that is all rare characters'], { input: '\u{1F9FF}'.repeat(2_000) }),
  moneyCase(['holds', 'embeddings', 'embeds hieroglyphs'], { input: DENSE }, thirty),
  ...(['chat', 'messages'] as const).map((wire) =>
    moneyCase(['holds', wire, 'sends hieroglyphs'], { ...said(DENSE), max_tokens: 16 }, { ...thirty, ...streamed }),
  ),
]

const left = { leaves: 'stop', isStream: true, rule: 'by-last-answers' } as const
const HIDDEN = 'Think 5000. Write 20 words. Wait 300 ms.'
const dense = '龘靐齉爩麤'.repeat(200)

export const HIDDEN_CASES: readonly MoneyCase[] = [
  moneyCase(['hidden', 'chat', 'leaves after the last word of a thinker'], said(HIDDEN), { ...thinking, ...left }),
  moneyCase(
    ['hidden', 'messages', 'leaves after the last word of a thinker'],
    { ...said(HIDDEN), max_tokens: 9_000 },
    {
      ...thinking,
      ...left,
    },
  ),
  moneyCase(
    ['hidden', 'responses', 'leaves after the last word of a thinker'],
    { input: HIDDEN },
    { ...thinking, ...left },
  ),
  moneyCase(['hidden', 'gemini', 'leaves after the last word of a thinker'], parts({ text: HIDDEN }), {
    ...thinking,
    ...left,
  }),
  moneyCase(
    ['hidden', 'responses', 'leaves a thinker at its first event'],
    { input: HIDDEN },
    {
      ...thinking,
      ...left,
      leaves: 'first-event',
    },
  ),
  moneyCase(['hidden', 'chat', 'leaves a thinker at its first event'], said(HIDDEN), {
    ...thinking,
    ...left,
    leaves: 'first-event',
  }),
  moneyCase(
    ['hidden', 'chat', 'leaves after 300 words with `max_tokens: 0`'],
    {
      ...said('Write 300 words. Wait 300 ms.'),
      max_tokens: 0,
    },
    { ...left, rule: 'counted-here' },
  ),
  moneyCase(
    ['hidden', 'responses', 'leaves after 300 words with `max_output_tokens: 0`'],
    {
      input: 'Write 300 words. Wait 300 ms.',
      max_output_tokens: 0,
    },
    { ...left, rule: 'counted-here' },
  ),
  moneyCase(
    ['hidden', 'messages', 'leaves after 300 words with `max_tokens: 0`'],
    {
      ...said('Write 300 words. Wait 300 ms.'),
      max_tokens: 0,
    },
    { ...left, rule: 'ignores-limit' },
  ),
  moneyCase(
    ['hidden', 'chat', 'reads a stream without a report with `max_tokens: 0`'],
    {
      ...said('Write 400 words.'),
      max_tokens: 0,
    },
    { model: 'silent', isStream: true, rule: 'counted-here' },
  ),
  moneyCase(
    ['hidden', 'chat', 'calls a model that reports nothing'],
    { ...said('Write 400 words.'), max_tokens: 500 },
    {
      model: 'silent',
      rule: 'counted-here',
    },
  ),
  moneyCase(
    ['hidden', 'chat', 'sends rare characters to a model that reports nothing'],
    {
      ...said(`${dense} Write 20 words.`),
      max_tokens: 64,
    },
    { model: 'silent', rule: 'counted-here' },
  ),
  moneyCase(
    ['hidden', 'chat', 'leaves before the first byte of an answer to a long prompt'],
    {
      ...said(`${'word '.repeat(4_000)} Write 20 words. Wait 1500 ms.`),
      max_tokens: 64,
    },
    { isStream: true, leaves: 'before-first-byte', rule: 'left-early' },
  ),
  moneyCase(
    ['hidden', 'messages', 'leaves a whole answer before its first byte'],
    {
      ...said(`${'word '.repeat(4_000)} Write 200 words. Wait 1500 ms.`),
      max_tokens: 256,
    },
    { leaves: 'before-first-byte', rule: 'left-early' },
  ),
  moneyCase(['hidden', 'gemini', 'masks the report by a header'], parts({ text: 'Write 300 words.' }), {
    headers: { 'x-goog-fieldmask': 'candidates' },
  }),
  moneyCase(['hidden', 'gemini', 'masks the report of a stream by a header'], parts({ text: 'Write 300 words.' }), {
    headers: { 'x-goog-fieldmask': 'candidates' },
    isStream: true,
  }),
  moneyCase(
    ['hidden', 'gemini', 'masks the report of a search by a header that `Connection` names'],
    {
      ...parts({ text: 'Write 300 words.' }),
      tools: [{ googleSearch: {} }],
    },
    { headers: { 'x-goog-fieldmask': 'candidates', connection: 'x-goog-fieldmask, keep-alive' }, bound: 'one' },
  ),
  moneyCase(['hidden', 'gemini', 'masks the report in the query'], parts({ text: 'Write 300 words.' }), {
    query: 'fields=candidates',
  }),
  moneyCase(
    ['hidden', 'chat', 'asks a stream not to report'],
    {
      ...said('Write 300 words.'),
      stream_options: { include_usage: false },
    },
    streamed,
  ),
]
