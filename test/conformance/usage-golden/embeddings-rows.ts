import type { GoldenRow } from './golden-row.ts'

/** `POST /v1/embeddings`: never a stream, and no output to pay for. */
export const EMBEDDINGS_ROWS: readonly GoldenRow[] = [
  {
    what: 'OpenAI: the input, and a total that is the same',
    usage: `{"prompt_tokens":8,"total_tokens":8}`,
    tokens: { input: 8, output: 0 },
    sum: '8 × 2500 = 20000',
  },
  {
    what: 'Voyage: the total alone is the input',
    usage: `{"total_tokens":10}`,
    tokens: { input: 10, output: 0 },
    sum: '10 × 2500 = 25000',
  },
  {
    what: 'Mistral: an output of zero, and a total of zero',
    usage: `{"prompt_tokens":3,"total_tokens":0,"completion_tokens":0,"request_count":null}`,
    tokens: { input: 3, output: 0 },
    sum: '3 × 2500 = 7500',
  },
  {
    what: 'images in the input',
    usage: `{"prompt_tokens":300,"total_tokens":300,"prompt_tokens_details":{"image_tokens":290}}`,
    tokens: { input: 10, output: 0, other: { audioInput: 0, imageInput: 290, audioOutput: 0 } },
    sum: '10 × 2500 + 290 × 4000 = 1185000',
  },
  {
    what: 'vectors are not output, whatever is reported',
    usage: `{"prompt_tokens":8,"completion_tokens":5000000000,"total_tokens":5000000008}`,
    tokens: { input: 8, output: 0 },
    sum: '8 × 2500 = 20000',
  },
  {
    what: 'zero is not believed',
    usage: `{"prompt_tokens":0,"total_tokens":0}`,
    tokens: { input: 11, output: 0 },
    sum: '11 × 2500 = 27500',
    isEstimated: true,
    notes: ['input_reported_as_none'],
  },
  {
    what: 'missing is counted here',
    usage: `null`,
    tokens: { input: 11 },
    sum: '11 × 2500 = 27500',
    isEstimated: true,
  },
  {
    what: 'more than the model can read is charged at that',
    usage: `{"prompt_tokens":9000000,"total_tokens":9000000}`,
    tokens: { input: 200000, output: 0 },
    sum: '200000 × 2500 = 500000000',
    isCapped: true,
    notes: ['input_above_limit'],
  },
]
