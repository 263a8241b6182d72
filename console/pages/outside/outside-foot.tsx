import type { ReactNode } from 'react'
import { LANGUAGES, LANGUAGE_NAMES } from '../../language.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { setPreferences, THEMES, usePreferences, type Theme } from '../../preferences.ts'
import { Select } from '../../ui/select.tsx'

/** Language and theme, below every page that needs no session. */
export function OutsideFoot(): ReactNode {
  const t = useSharedTexts()
  const { language, theme } = usePreferences()
  return (
    <footer className="flex flex-wrap justify-center gap-2 px-4 pb-5">
      <Select
        aria-label={t.language}
        className="w-32"
        value={language}
        onValue={(next) => setPreferences({ language: next })}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      />
      <Select<Theme>
        aria-label={t.theme}
        className="w-40"
        value={theme}
        onValue={(next) => setPreferences({ theme: next })}
        options={THEMES.map((value) => ({ value, label: t.themes[value] }))}
      />
    </footer>
  )
}
