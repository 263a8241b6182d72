import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import { LANGUAGES, LANGUAGE_NAMES } from '../dictionaries/language.ts'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { PATHS } from '../paths.ts'
import { usePreferences, type Theme } from '../preferences.ts'
import { MenuChoice, MenuItem, MenuLine, MenuLink } from '../ui/menu-items.tsx'
import { useKeepPreference } from './use-keep-preference.ts'
import { useSignOut } from './use-sign-out.ts'

/** What the account menu holds, loaded when it is opened. */
export default function AccountMenuItems({ me }: { readonly me: Me }): ReactNode {
  const t = useSharedTexts()
  const preferences = usePreferences()
  const keep = useKeepPreference()
  const leave = useSignOut()
  return (
    <>
      <div className="max-w-64 truncate px-2.5 py-1.5 text-sm text-ink-3">{me.email}</div>
      <MenuLink icon="key" link={<Link to={PATHS.keys} />}>
        {t.pages.keys}
      </MenuLink>
      <MenuLink icon="playground" link={<Link to={PATHS.playground} />}>
        {t.pages.playground}
      </MenuLink>
      <MenuLink icon="diagnose" link={<Link to={PATHS.diagnose} />}>
        {t.pages.diagnose}
      </MenuLink>
      <MenuLink icon="account" link={<Link to={PATHS.account} />}>
        {t.pages.account}
      </MenuLink>
      <MenuLine />
      <MenuChoice
        label={t.language}
        value={preferences.language}
        onValue={(language) => keep({ language })}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
      />
      <MenuChoice<Theme>
        label={t.theme}
        value={preferences.theme}
        onValue={(theme) => keep({ theme })}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t.themes[value] }))}
      />
      <MenuLine />
      <MenuItem icon="signOut" onSelect={leave}>
        {t.signOut}
      </MenuItem>
    </>
  )
}
