export type Language = 'en' | 'zh-CN'

export const LANGUAGES: readonly Language[] = ['en', 'zh-CN']

/** What each language calls itself: its readers may not read the other. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '简体中文' }

/** The first of the wishes that this console speaks, else English. Every Chinese gets the one Chinese there is. */
export function languageOf(wishes: readonly (string | null)[]): Language {
  for (const wish of wishes) {
    const start = wish?.toLowerCase().split('-', 1)[0]
    if (start === 'zh') return 'zh-CN'
    if (start === 'en') return 'en'
  }
  return 'en'
}
