import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { configurationQuery } from '../../../api/settings-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { matching, SearchBox } from './search-box.tsx'
import { Variables } from './variables.tsx'

/** Every variable of the environment with its value, which is read when a node starts and can only be read here. */
export default function EnvironmentPage(): ReactNode {
  const t = useTexts('settings').environment
  const [words, setWords] = useState('')
  const [onlySet, setOnlySet] = useState(false)
  const configuration = useQuery(configurationQuery)
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SearchBox label={t.search} value={words} onValue={setWords} />
          <Checkbox checked={onlySet} onChecked={setOnlySet}>
            {t.onlySet}
          </Checkbox>
        </div>
        <QueryView query={configuration} skeleton={<SkeletonLines />}>
          {({ variables }) => (
            <Variables
              variables={variables}
              onlySet={onlySet}
              matches={matching(words)}
              isSearched={onlySet || words.trim() !== ''}
            />
          )}
        </QueryView>
      </div>
    </>
  )
}
