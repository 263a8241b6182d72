import { DICTIONARIES, type PageTexts } from '../../console/dictionaries/page-texts.ts'
import { problemsEn } from '../../console/dictionaries/problems-en.ts'
import { problemsZhCn } from '../../console/dictionaries/problems-zh-cn.ts'
import { sharedEn } from '../../console/dictionaries/shared-en.ts'
import { sharedZhCn } from '../../console/dictionaries/shared-zh-cn.ts'
import { shellEn } from '../../console/dictionaries/shell-en.ts'
import { shellZhCn } from '../../console/dictionaries/shell-zh-cn.ts'

const [english, chinese] = await Promise.all([pageTexts('en'), pageTexts('zh-CN')])

/** Every flow is walked in each of these, by the words that the console itself shows there. */
export const LANGUAGES = [
  { language: 'en', shared: sharedEn, shell: shellEn, problems: problemsEn, ...english },
  { language: 'zh-CN', shared: sharedZhCn, shell: shellZhCn, problems: problemsZhCn, ...chinese },
] as const

export type Texts = (typeof LANGUAGES)[number]
export type Language = Texts['language']

async function pageTexts(language: 'en' | 'zh-CN'): Promise<PageTexts> {
  const loads = Object.entries(DICTIONARIES).map(async ([name, files]) => [name, await files[language]()] as const)
  return Object.fromEntries(await Promise.all(loads)) as PageTexts
}

/**
 * Where a flow is walked: in the language that is named, so that one run walks about half of them in each; in both with
 * `TEST_LANGUAGES=both`. That every view is whole in both is what `every-view.ts` finds out in every run.
 */
export function walkedIn(language: Language): readonly Texts[] {
  return LANGUAGES.filter((each) => each.language === language || process.env['TEST_LANGUAGES'] === 'both')
}
