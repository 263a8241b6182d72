import { BELIEF_CASES } from './belief-cases.ts'
import { COUNT_CASES } from './count-cases.ts'
import { LEAVING_CASES } from './leaving-cases.ts'
import { HIDDEN_CASES, HOLDS_CASES } from './output-cases.ts'
import { PRICE_CASES } from './price-cases.ts'
import { TOOL_CASES } from './tool-cases.ts'
import { TRANSLATED_CASES } from './translated-cases.ts'

export const MONEY_CASES = [
  ...BELIEF_CASES,
  ...LEAVING_CASES,
  ...COUNT_CASES,
  ...HOLDS_CASES,
  ...HIDDEN_CASES,
  ...PRICE_CASES,
  ...TOOL_CASES,
  ...TRANSLATED_CASES,
]
