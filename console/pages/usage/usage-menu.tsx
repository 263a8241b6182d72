import { Link } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { keySpendDictionary } from '../../dictionaries/key-spend.ts'
import { usageDictionary } from '../../dictionaries/usage.ts'
import { PATHS } from '../../paths.ts'
import { MenuLink } from '../../ui/menu-items.tsx'
import { keySpendSearch } from './key-spend-search.ts'
import type { UsageView } from './use-usage-search.ts'

/** What else can be done with the usage that is shown. Loaded when it is opened. */
export default function UsageMenu(props: { readonly view: UsageView; readonly csvLink: string }): ReactNode {
  const t = usageDictionary.useTexts()
  return (
    <>
      <MenuLink icon="download" link={<a href={props.csvLink} download title={t.csvHint} />}>
        {t.csv}
      </MenuLink>
      <Suspense>
        <KeySpendItem view={props.view} />
      </Suspense>
    </>
  )
}

function KeySpendItem({ view }: { readonly view: UsageView }): ReactNode {
  return (
    <MenuLink icon="key" link={<Link to={PATHS.keySpend} search={keySpendSearch(view.search)} />}>
      {keySpendDictionary.useTexts().title}
    </MenuLink>
  )
}
