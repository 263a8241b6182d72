import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'https://help.aliyun.com/model-studio/deep-thinking', at: '2026-08' }
const FORCED = { from: 'cloudwego/eino#994', at: '2026-04' }
const SDK = { from: 'vercel/ai, packages/alibaba', at: '2026-08' }

const QWEN: SourcedFacts = {
  ...said(SDK, { temperature_most: 1.9 }),
  ...said(API, { reasoning: 'effort', efforts: [], format_while_reasoning: false }),
  ...said(FORCED, { forced_call: 'not_while_reasoning' }),
}
const SWITCH = said(API, { reasoning_off: 'enable_thinking_false' })
/** Qwen on Bedrock takes no stop sequences, and nothing is said of its reasoning. */
const ON_CONVERSE: FamilyRow['on'] = {
  'bedrock-converse': said({ from: 'langgenius/dify-official-plugins#1767', at: '2025-09' }, { stops: 0 }),
}
const ON_MESSAGES: FamilyRow['on'] = {
  ...ON_CONVERSE,
  'anthropic-messages': said(API, { reasoning_off: 'thinking_disabled' }),
}

/** Alibaba's models. */
export const ALIBABA_ROWS: readonly FamilyRow[] = [
  {
    family: 'qwq, qvq, qwen thinking models',
    maker: 'Alibaba',
    names: named('qwq|qvq|qwen[\\w.-]*-thinking'),
    examples: ['qwq-plus', 'qwen3-235b-a22b-thinking-2507', 'qwen/qwen3-next-80b-a3b-thinking'],
    facts: { ...QWEN, ...said(API, { reasoning_off: 'never', reasons_unasked: true }) },
    on: ON_CONVERSE,
  },
  {
    family: 'qwen without thinking',
    maker: 'Alibaba',
    names: named('qwen(?:3-coder|[\\w.-]*-instruct|-max|-vl-max|1|2)'),
    examples: ['qwen3-coder-plus', 'qwen/qwen3-235b-a22b-instruct-2507', 'qwen2.5-72b-instruct'],
    facts: { ...said(SDK, { temperature_most: 1.9 }), ...said(API, { reasoning: 'none' }) },
    on: ON_CONVERSE,
  },
  {
    family: 'qwen-plus, qwen-flash, qwen-turbo',
    maker: 'Alibaba',
    names: named('qwen(?:3-max|-)'),
    examples: ['qwen-plus', 'qwen-flash-2025-07-28', 'qwen3-max'],
    facts: { ...QWEN, ...SWITCH },
    on: ON_MESSAGES,
  },
  {
    family: 'qwen3 and later',
    maker: 'Alibaba',
    names: named('qwen'),
    examples: ['qwen3-32b', 'qwen3.5-plus', 'qwen/qwen3.6-35b-a3b'],
    facts: { ...QWEN, ...SWITCH, ...said(API, { reasons_unasked: true }) },
    on: ON_MESSAGES,
  },
]
