export type Language = 'en' | 'zh-CN'

export const LANGUAGES: readonly Language[] = ['en', 'zh-CN']

/** What each language calls itself: its readers may not read the other. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '简体中文' }

/** The first language of these tags that the console has, else English. Every Chinese gets the one Chinese there is. */
export function languageOf(tags: readonly (string | null)[]): Language {
  for (const tag of tags) {
    const start = tag?.toLowerCase().split('-', 1)[0]
    if (start === 'zh') return 'zh-CN'
    if (start === 'en') return 'en'
  }
  return 'en'
}
