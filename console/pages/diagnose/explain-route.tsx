import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { accountsQuery } from '../../api/accounts.ts'
import { modelsQuery } from '../../api/models.ts'
import { type RouteQuestion, routeQuery } from '../../api/diagnosis.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SearchCombobox } from '../../ui/search-combobox.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { KeyField, ProtocolField, useOfferedKeys } from './choose-key.tsx'
import { ExplainedRoute } from './explained-route.tsx'

const ACCOUNTS_OFFERED = '20'

/** Where a request of any account and key would go, and why: for those who may read of all. */
export default function ExplainRoute(): ReactNode {
  const texts = useTexts('diagnose')
  const t = texts.explain
  const [typed, setTyped] = useState('')
  const [account, setAccount] = useState<{ readonly value: string; readonly label: string } | null>(null)
  const [model, setModel] = useState<string | null>(null)
  const [protocol, setProtocol] = useState('openai-chat')
  const [asked, setAsked] = useState<RouteQuestion | null>(null)
  const accounts = useQuery(accountsQuery({ limit: ACCOUNTS_OFFERED, ...(typed === '' ? {} : { search: typed }) }))
  const found = (accounts.data?.data ?? []).map(({ id, email, name }) => ({ value: id, label: email, detail: name }))
  const offered = useOfferedKeys(account?.value ?? null)
  const models = useQuery(modelsQuery).data ?? []
  const chosenModel = models.find(({ name }) => name === model)?.name ?? models[0]?.name ?? null
  const question =
    account === null || offered.chosen === null || chosenModel === null
      ? null
      : { account: account.value, key: offered.chosen.value, model: chosenModel, protocol }
  return (
    <div>
      <p className="mb-3 text-ink-2">{t.lead}</p>
      <form
        aria-label={t.title}
        className="grid items-end gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(question)
        }}
      >
        <div className="grid gap-1.5">
          <p className="font-medium" aria-hidden="true">
            {t.account}
          </p>
          <SearchCombobox
            aria-label={t.account}
            placeholder={t.pick}
            found={found}
            isSearching={accounts.isPlaceholderData}
            chosen={account}
            onSearch={setTyped}
            onValue={(option) => {
              setAccount(option)
              // What was searched for and chosen belongs to the account before.
              offered.seek('')
              offered.choose(null)
            }}
          />
        </div>
        <KeyField key={account?.value ?? ''} label={t.keyOf} offered={offered} />
        <SelectField<string>
          name="explained-model"
          label={texts.model}
          value={chosenModel ?? ''}
          onValue={setModel}
          options={models.map(({ name }) => ({ value: name, label: name }))}
        />
        <ProtocolField name="explained-protocol" protocol={protocol} onValue={setProtocol} />
        <div>
          <Button type="submit" icon="search" aria-disabled={question === null}>
            {t.action}
          </Button>
        </div>
      </form>
      {asked !== null && <Answer key={JSON.stringify(asked)} asked={asked} />}
    </div>
  )
}

function Answer({ asked }: { readonly asked: RouteQuestion }): ReactNode {
  const answer = useQuery(routeQuery(asked))
  return (
    <div aria-live="polite" className="mt-4 grid grid-cols-1 gap-3 border-t border-line pt-4">
      {answer.error !== null ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data === undefined ? (
        <SkeletonLines count={3} />
      ) : (
        <ExplainedRoute route={answer.data} />
      )}
    </div>
  )
}
