import type { ReactNode } from 'react'
import type { MarginsSplit } from '../../../../src/contract/margins.ts'
import { withQuery } from '../../../api/request.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { MenuLink } from '../../../ui/menu-items.tsx'
import { SITE_PATH } from '../../../site.ts'

const SPLITS = ['upstream', 'credential', 'model', 'group', 'fault'] as const satisfies readonly MarginsSplit[]

/** What was charged, what it cost and what is left, of the last 30 days, as a file of each split. Loaded when it is opened. */
export default function MarginsMenu(): ReactNode {
  const t = useTexts('operations').margins
  return SPLITS.map((split) => (
    <MenuLink
      key={split}
      icon="download"
      link={<a href={SITE_PATH + withQuery('/api/margins.csv', { split, bom: 'true' })} download />}
    >
      {t.by[split]}
    </MenuLink>
  ))
}
