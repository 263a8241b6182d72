import type { ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { languageOf, LANGUAGES, LANGUAGE_NAMES, type Language } from '../../language.ts'
import { setPreferences, usePreferences, type Theme } from '../../preferences.ts'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Section } from '../../ui/section.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useChangeMe } from './use-change-me.ts'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export function AppearanceSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').appearance
  const shared = useSharedTexts()
  const { change } = useChangeMe()
  const { hasShortcuts } = usePreferences()
  return (
    <Section title={t.title} lead={t.lead}>
      <div className="grid gap-5">
        <RadioCards<Language | 'browser'>
          label={t.language}
          name="language"
          columns={3}
          value={me.language ?? 'browser'}
          onValue={(choice) => {
            setPreferences({ language: choice === 'browser' ? languageOf(navigator.languages) : choice })
            void change({ language: choice === 'browser' ? null : choice })
          }}
          options={[
            { value: 'browser', label: t.likeBrowser },
            ...LANGUAGES.map((value) => ({ value, label: <span lang={value}>{LANGUAGE_NAMES[value]}</span> })),
          ]}
        />
        <RadioCards<Theme>
          label={t.theme}
          name="theme"
          columns={3}
          value={me.theme}
          onValue={(theme) => {
            setPreferences({ theme })
            void change({ theme })
          }}
          options={THEMES.map((value) => ({ value, label: shared.themes[value] }))}
        />
        <Switch
          label={t.shortcuts}
          hint={t.shortcutsHint}
          checked={hasShortcuts}
          onChecked={(isOn) => setPreferences({ hasShortcuts: isOn })}
        />
      </div>
    </Section>
  )
}
