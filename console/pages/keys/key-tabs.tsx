import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { TAB_ROW, tabClass, useTabRow } from '../../ui/tab-row.ts'

const TABS = ['keys', 'devices'] as const

/** What programs call models with: keys, and devices that are signed in. Above the head of both pages. */
export function KeyTabs({ here }: { readonly here: (typeof TABS)[number] }): ReactNode {
  const t = useSharedTexts().pages
  const own = useRef<HTMLElement>(null)
  const row = useTabRow(here, own)
  return (
    <div className="-mt-3 mb-6 min-h-9.5 touch:min-h-11.5 lg:-mt-5 print:hidden">
      <nav ref={row} aria-label={t.keys} className={TAB_ROW}>
        {TABS.map((name) => (
          <Link
            key={name}
            to={PATHS[name]}
            activeOptions={{ exact: true, includeSearch: false }}
            className={tabClass(name === here)}
          >
            {t[name]}
          </Link>
        ))}
      </nav>
    </div>
  )
}
