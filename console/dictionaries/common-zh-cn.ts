import type { CommonTexts } from './common-en.ts'
import { fieldFormsZhCn } from './field-forms-zh-cn.ts'
import { problemsZhCn } from './problems-zh-cn.ts'
import { sharedZhCn } from './shared-zh-cn.ts'

export const texts: CommonTexts = { shared: sharedZhCn, problems: problemsZhCn, fieldForms: fieldFormsZhCn }
