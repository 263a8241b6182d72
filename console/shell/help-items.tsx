import { useQuery } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import { buildName } from '../api/connection.ts'
import { instanceQuery } from '../api/instance.ts'
import { useShellTexts } from '../dictionaries/shell.ts'
import { MenuItem, MenuLine, MenuLink } from '../ui/menu-items.tsx'
import { atSite } from '../site.ts'
import { useDiagnose } from './use-diagnose.ts'

/** What the help menu holds, loaded when it is opened. */
export default function HelpItems({ onShortcuts }: { onShortcuts(): void }): ReactNode {
  const t = useShellTexts().help
  const diagnose = useDiagnose()
  const version = useQuery(instanceQuery).data?.version
  const build = buildName()
  return (
    <>
      <MenuLink icon="external" link={newTab('/docs')}>
        {t.docs}
      </MenuLink>
      <MenuLink icon="external" link={newTab('/api/docs')}>
        {t.api}
      </MenuLink>
      <MenuLink icon="external" link={newTab('/docs/errors')}>
        {t.errors}
      </MenuLink>
      <MenuLine />
      <MenuItem icon="diagnose" onSelect={() => diagnose()}>
        {t.diagnose}
      </MenuItem>
      <MenuItem icon="terminal" onSelect={onShortcuts}>
        {t.shortcuts}
      </MenuItem>
      <MenuLine />
      <MenuLink icon="external" link={newTab('/docs/changes')}>
        {t.changes}
      </MenuLink>
      <MenuLink icon="external" link={newTab('/docs/license')}>
        {t.license}
      </MenuLink>
      <div className="px-2.5 py-1 text-sm text-ink-3">
        {version === undefined ? '\u00a0' : t.version(version)}
        {build !== null && <span className="block">{t.build(build)}</span>}
      </div>
    </>
  )
}

function newTab(path: `/${string}`): ReactElement {
  return <a href={atSite(path)} target="_blank" rel="noreferrer" />
}
