import { use } from 'react'
import { loadedOnce } from '../loaded-once.ts'
import { usePreferences } from '../preferences.ts'
import type { Language } from '../language.ts'
import type { SharedTexts } from './shared-en.ts'
import type { ShellTexts } from './shell-en.ts'
import { loadEveryPageTexts } from './texts.ts'

interface ShellWords {
  readonly shell: ShellTexts
  readonly shared: SharedTexts
}

/** The words of what opens from around every page, in both languages: a command is found by its words in either. */
export const loadShellTexts = loadedOnce(async (): Promise<Readonly<Record<Language, ShellWords>>> => {
  const [en, chinese, inEnglish, inChinese] = await Promise.all([
    import('./shell-en.ts'),
    import('./shell-zh-cn.ts'),
    loadEveryPageTexts('en'),
    loadEveryPageTexts('zh-CN'),
  ])
  return {
    en: { shell: en.shellEn, shared: inEnglish.shared },
    'zh-CN': { shell: chinese.shellZhCn, shared: inChinese.shared },
  }
})

/** The texts in the reader's language. Suspends until they are here, which they are after `loadShellTexts`. */
export function useShellTexts(): ShellTexts {
  return use(loadShellTexts())[usePreferences().language].shell
}

/** A load of a part together with these words: a field that came late would not be given the focus. */
export function withShellTexts<File>(load: () => Promise<File>): () => Promise<File> {
  return async () => (await Promise.all([load(), loadShellTexts()]))[0]
}
