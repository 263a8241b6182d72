import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import { LANGUAGES, LANGUAGE_NAMES } from '../language.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { PATHS } from '../paths.ts'
import { THEMES, usePreferences, type Theme } from '../preferences.ts'
import { MenuChoice, MenuItem, MenuLine, MenuLink } from '../ui/menu-items.tsx'
import { useIsNarrow } from '../ui/use-media.ts'
import { pagesBesideNavigation } from './rail.ts'
import { useKeepPreference } from './use-keep-preference.ts'
import { useSignOut } from './use-sign-out.ts'

/** What the account menu holds, loaded when it is opened. */
export default function AccountMenuItems({ me }: { readonly me: Me }): ReactNode {
  const t = useSharedTexts()
  const isNarrow = useIsNarrow()
  const preferences = usePreferences()
  const keep = useKeepPreference()
  const leave = useSignOut()
  return (
    <>
      <div className="max-w-64 truncate px-2.5 py-1.5 text-sm text-ink-3">{me.email}</div>
      {pagesBesideNavigation({ isNarrow, hasMore: me.rights.includes('staff') }).map(({ name, icon }) => (
        <MenuLink key={name} icon={icon} link={<Link to={PATHS[name]} />}>
          {t.pages[name]}
        </MenuLink>
      ))}
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
        options={THEMES.map((value) => ({ value, label: t.themes[value] }))}
      />
      <MenuLine />
      <MenuItem icon="signOut" onSelect={leave}>
        {t.signOut}
      </MenuItem>
    </>
  )
}
