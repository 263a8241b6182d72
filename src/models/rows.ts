import type { FamilyRow } from './row.ts'
import { ALIBABA_ROWS } from './rows/alibaba.ts'
import { ANTHROPIC_ROWS } from './rows/anthropic.ts'
import { BEDROCK_ROWS } from './rows/bedrock.ts'
import { DEEPSEEK_ROWS } from './rows/deepseek.ts'
import { GOOGLE_ROWS } from './rows/google.ts'
import { MISTRAL_ROWS } from './rows/mistral.ts'
import { MOONSHOT_ROWS } from './rows/moonshot.ts'
import { OPENAI_ROWS } from './rows/openai.ts'
import { OTHER_ROWS } from './rows/others.ts'
import { XAI_ROWS } from './rows/xai.ts'
import { ZHIPU_ROWS } from './rows/zhipu.ts'

/** All families; the first whose names fit decides. A distilled model has two makers' names, and the first is whose API it is like. */
export const ROWS: readonly FamilyRow[] = [
  ...OPENAI_ROWS,
  ...ANTHROPIC_ROWS,
  ...GOOGLE_ROWS,
  ...DEEPSEEK_ROWS,
  ...MOONSHOT_ROWS,
  ...ZHIPU_ROWS,
  ...ALIBABA_ROWS,
  ...MISTRAL_ROWS,
  ...XAI_ROWS,
  ...OTHER_ROWS,
  ...BEDROCK_ROWS,
]
