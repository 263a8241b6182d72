import { Link } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { seeingNow } from '../../api/seeing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { MenuLink } from '../../ui/menu-items.tsx'
import { keySpendSearch } from './key-spend-search.ts'
import type { UsageView } from './use-usage-search.ts'

/** What else can be done with the usage that is shown. Loaded when it is opened. */
export default function UsageMenu(props: { readonly view: UsageView; readonly csvLink: string }): ReactNode {
  const t = useTexts('usage')
  return (
    <>
      {/* A link goes as the admin who sees the account, not as its owner. */}
      {seeingNow() === null && (
        <MenuLink icon="download" link={<a href={props.csvLink} download title={t.csvHint} />}>
          {t.csv}
        </MenuLink>
      )}
      <Suspense>
        <SpendItems view={props.view} />
      </Suspense>
    </>
  )
}

function SpendItems({ view }: { readonly view: UsageView }): ReactNode {
  const t = useTexts('keySpend')
  const search = keySpendSearch(view.search)
  return (
    <>
      <MenuLink icon="key" link={<Link to={PATHS.keySpend} search={search} />}>
        {t.title}
      </MenuLink>
      <MenuLink icon="usage" link={<Link to={PATHS.tagSpend} search={search} />}>
        {t.tagTitle}
      </MenuLink>
    </>
  )
}
