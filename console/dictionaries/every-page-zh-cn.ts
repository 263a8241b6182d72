import type { EveryPageTexts } from './every-page-en.ts'
import { fieldFormsZhCn } from './field-forms-zh-cn.ts'
import { problemsZhCn } from './problems-zh-cn.ts'
import { sharedZhCn } from './shared-zh-cn.ts'

export const texts: EveryPageTexts = { shared: sharedZhCn, problems: problemsZhCn, fieldForms: fieldFormsZhCn }
