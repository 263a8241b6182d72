import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import { changeMe, meQuery } from '../api/me.ts'
import { useTexts } from '../dictionaries/texts.ts'
import { ICON_BUTTON } from './icon-button.tsx'
import { Tooltip } from './tooltip.tsx'
import { useFailureToast, useToast } from './toasts.tsx'

/** The most favourites that the API keeps. */
const MOST = 10

/** Makes a model a favourite of the account, or not: kept on the server, for all browsers. */
export default function FavouriteButton({ model }: { readonly model: string }): ReactNode {
  const t = useTexts('favourites')
  const toast = useToast()
  const client = useQueryClient()
  const favourites = useQuery(meQuery).data?.favourite_models ?? []
  const isFavourite = favourites.includes(model)
  const change = useMutation({
    mutationFn: (wanted: readonly string[]) => changeMe({ favourite_models: [...wanted] }),
    onSuccess: (me: Me) => {
      client.setQueryData(meQuery.queryKey, me)
      void client.invalidateQueries({ queryKey: ['keys', 'setup'] })
    },
    onError: useFailureToast(),
  })
  const press = (): void => {
    if (change.isPending) return
    if (isFavourite) change.mutate(favourites.filter((name) => name !== model))
    else if (favourites.length >= MOST) toast({ tone: 'bad', text: t.most(MOST) })
    else change.mutate([...favourites, model])
  }
  return (
    <Tooltip text={isFavourite ? t.marked : t.notMarked}>
      <button
        type="button"
        aria-label={t.mark(model)}
        aria-pressed={isFavourite}
        onClick={press}
        className={ICON_BUTTON}
      >
        <svg
          viewBox="0 0 16 16"
          aria-hidden="true"
          className={isFavourite ? 'size-4 text-accent' : 'size-4'}
          fill={isFavourite ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinejoin="round"
        >
          <path d="m8 1.8 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z" />
        </svg>
      </button>
    </Tooltip>
  )
}
