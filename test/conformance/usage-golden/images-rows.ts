import { NO_UNITS } from '../../../src/core/units.ts'
import { type GoldenRow, PRICES } from './golden-row.ts'

const images = (count: number) => ({ ...NO_UNITS, requests: 1, images: count })

/** Four cents. */
const BY_IMAGE = { image: 40_000_000 }

const answerOf = (count: number): string =>
  `{"created":1,"data":[${Array.from({ length: count }, (_, i) => `{"url":"https://images.test/${i}"}`).join()}]}`

/** `POST /v1/images/generations` and `/v1/images/edits`. */
export const IMAGES_ROWS: readonly GoldenRow[] = [
  {
    what: 'OpenAI: tokens of text and of images',
    usage: `{"total_tokens":100,"input_tokens":50,"output_tokens":50,"input_tokens_details":{"text_tokens":10,"image_tokens":40}}`,
    tokens: { input: 10, output: 50, other: { audioInput: 0, imageInput: 40, audioOutput: 0 }, units: images(1) },
    sum: '10 × 2500 + 40 × 4000 + 50 × 10000 = 685000',
  },
  {
    what: 'by the image, without any report',
    usage: `null`,
    prices: BY_IMAGE,
    tokens: { units: images(1) },
    sum: '1 × 40000000 = 40000000',
  },
  {
    what: 'all images that came',
    answer: answerOf(3),
    request: { fields: { n: 3 } },
    prices: BY_IMAGE,
    tokens: { units: images(3) },
    sum: '3 × 40000000 = 120000000',
  },
  {
    what: 'fewer than were asked for',
    answer: answerOf(2),
    request: { fields: { n: 3 } },
    prices: BY_IMAGE,
    tokens: { units: images(2) },
    sum: '2 × 40000000 = 80000000',
  },
  {
    what: 'more than were asked for are charged as so many',
    answer: answerOf(3),
    prices: BY_IMAGE,
    tokens: { units: images(1) },
    sum: '1 × 40000000 = 40000000',
    isCapped: true,
  },
  {
    what: 'images, tokens and the request, each with a price',
    usage: `{"total_tokens":60,"input_tokens":10,"output_tokens":50}`,
    prices: { ...PRICES, ...BY_IMAGE, request: 1_000_000 },
    tokens: { input: 10, output: 50, units: images(1) },
    sum: '10 × 2500 + 50 × 10000 + 1 × 1000000 + 1 × 40000000 = 41525000',
  },
  {
    what: 'by tokens, and nothing reported: the dearest image',
    usage: `null`,
    tokens: { input: 11, output: 6_540, units: images(1) },
    sum: '11 × 2500 + 6540 × 10000 = 65427500',
    isEstimated: true,
  },
  {
    what: 'by tokens, and nothing reported of one of low quality',
    usage: `null`,
    request: { fields: { quality: 'low' } },
    tokens: { input: 11, output: 708, units: images(1) },
    sum: '11 × 2500 + 708 × 10000 = 7107500',
    isEstimated: true,
  },
  {
    what: 'left behind a partial image: the image that was asked for',
    cut: [`data: {"type":"image_generation.partial_image","b64_json":"aGk=","partial_image_index":0}`],
    prices: BY_IMAGE,
    tokens: { units: images(1) },
    sum: '1 × 40000000 = 40000000',
    isEstimated: true,
  },
  {
    what: 'two in one stream',
    events: [
      `data: {"type":"image_generation.completed","b64_json":"aGk="}`,
      `data: {"type":"image_generation.completed","b64_json":"aGk="}`,
      `data: [DONE]`,
    ],
    choices: 2,
    request: { fields: { n: 2 } },
    prices: BY_IMAGE,
    tokens: { units: images(2) },
    sum: '2 × 40000000 = 80000000',
  },
]
