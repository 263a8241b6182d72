import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import type { UpstreamModelsView } from '../../../../src/contract/upstream-models.ts'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { addToGroup, serveModel } from '../../../api/catalogue-changes.ts'
import { modelsQuery } from '../../../api/models.ts'
import { compareUpstreamModels, ignoreUpstreamModels } from '../../../api/upstream-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { eachOf } from '../accounts/each-of.ts'
import { useChange } from '../../../forms/use-change.ts'
import { useRefresh } from '../../../forms/use-refresh.ts'
import { GroupChoice } from './group-choice.tsx'
import { type Chosen, chosenPrice } from './chosen-price.ts'
import { ModelChoice, type OfferedModel, usePriceProblem } from './model-choice.tsx'
import { listResult } from './trial-result.tsx'

type State = UpstreamModelsView['data'][number]['state']

/** What the upstream lists beside what is served from it: new ones are added or ignored, and those that are gone are said. */
export default function CompareModels(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.comparing
  const shared = useSharedTexts()
  const { upstream } = props
  const compare = useMutation({ mutationFn: () => compareUpstreamModels(upstream.id) })
  const { mutate } = compare
  useEffect(() => {
    mutate()
  }, [mutate])
  const found = compare.data
  return (
    <Drawer isOpen title={t.title} description={t.lead} onClose={props.onClose}>
      {compare.error !== null && <ErrorState error={compare.error} onRetry={() => mutate()} />}
      {found === undefined && compare.error === null && <SkeletonLines count={6} />}
      {found !== undefined &&
        (found.ok ? (
          <Compared upstream={upstream} found={found} onChanged={() => mutate()} />
        ) : (
          <Notice tone="bad" isLive>
            {listResult(found, texts, shared)}
          </Notice>
        ))}
    </Drawer>
  )
}

function Compared(props: {
  readonly upstream: UpstreamView
  readonly found: UpstreamModelsView
  onChanged(): void
}): ReactNode {
  const t = useTexts('upstreams').comparing
  const { upstream, found, onChanged } = props
  const of = (state: State) => found.data.filter((each) => each.state === state)
  const [fresh, gone, served, ignored] = [of('new'), of('gone'), of('served'), of('ignored')]
  return (
    <div className="grid gap-5">
      {!found.whole && <Notice>{t.notWhole}</Notice>}
      {gone.length > 0 && (
        <Notice tone="warn" title={t.gone(gone.length)}>
          <p>{t.goneText}</p>
          <ul>
            {gone.map(({ model, models }) => (
              <li key={model} className="[overflow-wrap:anywhere]">
                <Link
                  to={ADMIN_PATHS.prices}
                  search={{ q: models[0] ?? model }}
                  className="text-accent hover:underline"
                >
                  {model}
                </Link>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {fresh.length === 0 ? (
        <p className="text-ink-2">{t.nothingNew}</p>
      ) : (
        <NewModels
          key={fresh.map(({ model }) => model).join('\n')}
          upstream={upstream}
          offered={fresh}
          onChanged={onChanged}
        />
      )}
      <p className="text-sm text-ink-3">{t.served(served.length)}</p>
      {ignored.length > 0 && (
        <Disclosure title={t.ignored(ignored.length)}>
          <Ignored upstream={upstream} names={ignored.map(({ model }) => model)} onChanged={onChanged} />
        </Disclosure>
      )}
    </div>
  )
}

function NewModels(props: {
  readonly upstream: UpstreamView
  readonly offered: readonly OfferedModel[]
  onChanged(): void
}): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.comparing
  const toast = useToast()
  const problemText = useProblemText()
  const refresh = useRefresh()
  const { upstream, offered, onChanged } = props
  const { data: known = [] } = useQuery(modelsQuery)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map())
  const [groups, setGroups] = useState<readonly GroupView[]>([])
  const [problem, setProblem] = useState<string>()
  const add = useMutation({
    mutationFn: async () => {
      const served: string[] = []
      const ofModels = await eachOf([...chosen], async ([name, each]) => {
        await serveModel({ name, price: chosenPrice(each), upstream: upstream.name }, known)
        served.push(name)
      })
      const ofGroups = await eachOf(served.length === 0 ? [] : groups, (group) => addToGroup(group, served))
      const failed = [
        ...ofModels.map(({ item: [name], error }) => ({ name, error })),
        ...ofGroups.map(({ item: { name }, error }) => ({ name, error })),
      ].filter(({ error }) => error !== null)
      return { done: served.length, failed }
    },
    onSuccess: ({ done, failed }) => {
      if (done > 0) toast({ text: t.added(done) })
      const [first] = failed
      if (first !== undefined) toast({ text: `${first.name}: ${problemText(first.error)}`, tone: 'bad' })
      refresh(['upstreams', 'models', 'groups', 'attention'])
      onChanged()
    },
  })
  const problemOfPrices = usePriceProblem()
  const ignore = useIgnoring(upstream, onChanged)
  const press = (): void => {
    const wrong = problemOfPrices(chosen.values())
    setProblem(wrong)
    if (wrong === undefined) add.mutate()
  }
  return (
    <section aria-label={t.fresh(offered.length)} className="grid gap-3">
      <ModelChoice
        title={t.fresh(offered.length)}
        baseUrl={upstream.base_url}
        models={offered}
        chosen={chosen}
        onChosen={setChosen}
        error={problem}
      />
      {chosen.size > 0 && <GroupChoice chosen={groups} onChosen={setGroups} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          disabled={chosen.size === 0}
          isBusy={ignore.isPending}
          onClick={() => ignore.mutate({ models: [...chosen.keys()], ignored: true })}
        >
          {t.ignore(chosen.size)}
        </Button>
        <Button look="primary" disabled={chosen.size === 0} isBusy={add.isPending} onClick={press}>
          {t.add(chosen.size)}
        </Button>
      </div>
    </section>
  )
}

function Ignored(props: {
  readonly upstream: UpstreamView
  readonly names: readonly string[]
  onChanged(): void
}): ReactNode {
  const t = useTexts('upstreams').comparing
  const offer = useIgnoring(props.upstream, props.onChanged)
  return (
    <ul className="grid gap-1">
      {props.names.map((name) => (
        <li key={name} className="flex flex-wrap items-center justify-between gap-x-4">
          <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          <Button
            aria-label={`${t.offer} ${name}`}
            isBusy={offer.isPending}
            onClick={() => offer.mutate({ models: [name], ignored: false })}
          >
            {t.offer}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function useIgnoring(upstream: UpstreamView, onChanged: () => void) {
  return useChange({
    send: (change: { readonly models: readonly string[]; readonly ignored: boolean }) =>
      ignoreUpstreamModels(upstream.id, change),
    onDone: onChanged,
    refreshes: [],
  })
}
