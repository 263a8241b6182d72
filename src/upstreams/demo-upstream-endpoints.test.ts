import { expect, test } from 'vitest'
import { newReport, reportingHandler, startDemo } from '../../test/support/demo-drive.ts'

function answerTo(path: string, body: object): { status: number; body: Record<string, unknown> } {
  const demo = startDemo()
  const report = newReport()
  demo.send(path, JSON.stringify({ model: 'demo/echo', ...body }), reportingHandler(report))
  demo.timers.runAll()
  return { status: report.status, body: JSON.parse(report.chunks.join('')) as Record<string, unknown> }
}

test.for([
  ['/completions', {}, 'prompt'],
  ['/completions', { prompt: 'x', n: 2 }, 'n'],
  ['/completions', { prompt: 'x', max_tokens: 0 }, 'max_tokens'],
  ['/moderations', {}, 'input'],
  ['/images/generations', {}, 'prompt'],
  ['/images/generations', { prompt: 'x', n: 11 }, 'n'],
  ['/audio/speech', { input: '' }, 'input'],
  ['/audio/transcriptions', {}, 'file'],
  ['/rerank', { query: 'x' }, 'documents'],
  ['/rerank', { documents: ['x'] }, 'query'],
  ['/rerank', { query: 'x', documents: ['x'], top_n: 0 }, 'top_n'],
] as const)('%s with %j is refused by the field %s', ([path, body, param]) => {
  expect(answerTo(path, body)).toMatchObject({ status: 400, body: { error: { param } } })
})

test('a model that is not there is refused on every endpoint', () => {
  for (const path of [
    '/completions',
    '/moderations',
    '/images/edits',
    '/audio/speech',
    '/audio/translations',
    '/rerank',
  ]) {
    expect(answerTo(path, { model: 'gpt-5.5' }).status, path).toBe(404)
  }
})

test('several prompts get an answer each, and a limit cuts them', () => {
  const { body } = answerTo('/completions', { prompt: ['one two three', 'four'], max_tokens: 2 })
  expect(body['choices']).toMatchObject([
    { text: 'one two', index: 0, finish_reason: 'length' },
    { text: 'four', index: 1, finish_reason: 'stop' },
  ])
  expect(body['usage']).toEqual({ prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 })
})

test('documents are ranked by the words that they share with the query', () => {
  const request = {
    query: 'a small cat',
    documents: ['dogs', { text: 'a cat' }, 'A SMALL CAT'],
    top_n: 2,
    return_documents: true,
  }
  expect(answerTo('/rerank', request).body['results']).toEqual([
    { index: 2, relevance_score: 1, document: { text: 'A SMALL CAT' } },
    { index: 1, relevance_score: 2 / 3, document: { text: 'a cat' } },
  ])
})
