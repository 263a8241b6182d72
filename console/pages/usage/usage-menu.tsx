import type { ReactNode } from 'react'
import { usageDictionary } from '../../dictionaries/usage.ts'
import { MenuLink } from '../../ui/menu-items.tsx'

/** What else can be done with the usage that is shown. Loaded when it is opened. */
export default function UsageMenu({ csvLink }: { readonly csvLink: string }): ReactNode {
  const t = usageDictionary.useTexts()
  return (
    <MenuLink icon="download" link={<a href={csvLink} download title={t.csvHint} />}>
      {t.csv}
    </MenuLink>
  )
}
