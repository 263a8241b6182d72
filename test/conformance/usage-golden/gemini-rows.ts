import type { GoldenRow } from './golden-row.ts'

const SAID = `"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0`

/** `POST /v1beta/models/{model}:generateContent`. */
export const GEMINI_ROWS: readonly GoldenRow[] = [
  {
    what: 'thoughts are output beside the candidates',
    usage: `{"promptTokenCount":12,"candidatesTokenCount":30,"totalTokenCount":542,"promptTokensDetails":[{"modality":"TEXT","tokenCount":12}],"thoughtsTokenCount":500}`,
    tokens: { input: 12, output: 530, reasoning: 500 },
    sum: '12 × 2500 + 530 × 10000 = 5330000',
  },
  {
    what: 'whole numbers may be written as text, as protocol buffers have them in JSON',
    usage: `{"promptTokenCount":"12","candidatesTokenCount":"30","thoughtsTokenCount":"5","totalTokenCount":"47"}`,
    tokens: { input: 12, output: 35, reasoning: 5 },
    sum: '12 × 2500 + 35 × 10000 = 380000',
  },
  {
    what: 'the prompt includes what came from the cache',
    usage: `{"promptTokenCount":10818,"candidatesTokenCount":8,"totalTokenCount":10826,"cachedContentTokenCount":9984,"promptTokensDetails":[{"modality":"TEXT","tokenCount":10818}],"cacheTokensDetails":[{"modality":"TEXT","tokenCount":9984}]}`,
    tokens: { input: 834, cacheRead: 9984, output: 8 },
    sum: '834 × 2500 + 9984 × 250 + 8 × 10000 = 4661000',
  },
  {
    what: 'results of tools that Google ran are input beside the prompt',
    usage: `{"promptTokenCount":40,"candidatesTokenCount":9,"totalTokenCount":349,"toolUsePromptTokenCount":300,"toolUsePromptTokensDetails":[{"modality":"TEXT","tokenCount":300}]}`,
    tokens: { input: 340, output: 9 },
    sum: '340 × 2500 + 9 × 10000 = 940000',
  },
  {
    what: 'sound and images, some of the sound from the cache, and speech',
    usage: `{"promptTokenCount":1000,"candidatesTokenCount":70,"totalTokenCount":1070,"cachedContentTokenCount":500,"promptTokensDetails":[{"modality":"TEXT","tokenCount":200},{"modality":"AUDIO","tokenCount":500},{"modality":"IMAGE","tokenCount":300}],"cacheTokensDetails":[{"modality":"TEXT","tokenCount":100},{"modality":"AUDIO","tokenCount":400}],"candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":60}]}`,
    tokens: { input: 100, cacheRead: 500, output: 10, other: { audioInput: 100, imageInput: 300, audioOutput: 60 } },
    sum: '100 × 2500 + 500 × 250 + 100 × 40000 + 300 × 4000 + 10 × 10000 + 60 × 80000 = 10475000',
  },
  {
    what: 'an output that is left out, as a 0 is on this wire, is counted beside an answer',
    usage: `{"promptTokenCount":9,"totalTokenCount":9}`,
    tokens: { input: 9, output: 7 },
    sum: '9 × 2500 + 7 × 10000 = 92500',
    isEstimated: true,
    notes: ['output_reported_as_none'],
  },
  {
    what: 'an upstream that counts the thoughts within the candidates, as the total tells',
    usage: `{"promptTokenCount":10,"candidatesTokenCount":120,"thoughtsTokenCount":100,"totalTokenCount":130}`,
    tokens: { input: 10, output: 120, reasoning: 100 },
    sum: '10 × 2500 + 120 × 10000 = 1225000',
  },
  {
    what: 'the usage so far in every chunk: the last is the whole',
    events: [
      `data: {"candidates":[{${SAID}}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":1,"totalTokenCount":13}}`,
      `data: {"candidates":[{${SAID},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":5,"totalTokenCount":17}}`,
    ],
    tokens: { input: 12, output: 5 },
    sum: '12 × 2500 + 5 × 10000 = 80000',
  },
  {
    what: 'a stream that broke off has not reported its whole output',
    cut: [
      `data: {"candidates":[{${SAID}}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":1,"totalTokenCount":13}}`,
    ],
    tokens: { input: 12, output: 7 },
    sum: '12 × 2500 + 7 × 10000 = 100000',
    isEstimated: true,
  },
  {
    what: 'usage that is null is missing',
    answer: `{"candidates":[{${SAID},"finishReason":"STOP"}],"usageMetadata":null}`,
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
]
