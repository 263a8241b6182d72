import { useState, type FormEvent, type ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { DIMENSIONS, type ExploreSearch } from './explore-search.ts'
import { MOST_NAME, MOST_VIEWS, type SavedView, useSavedViews, withoutView, withView } from './saved-views.ts'

/** Keeps what *Requests* shows under a name, and goes back to what was kept. */
export default function SavedViewsDialog(props: {
  readonly search: ExploreSearch
  onShow(next: ExploreSearch): void
  onClose(): void
}): ReactNode {
  const t = useTexts('requests').views
  const shared = useSharedTexts()
  const [views, change] = useSavedViews()
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [renamed, setRenamed] = useState<SavedView | null>(null)
  const given = name.trim()
  const isThere = given !== renamed?.name && views.some((view) => view.name === given)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (given === '') return setError(shared.required)
    const others = renamed === null ? views : withoutView(views, renamed.name)
    const next = withView(others, { name: given, search: renamed?.search ?? props.search })
    if (next === null) return setError(t.full(MOST_VIEWS))
    change(() => next)
    setSaid(t.saved(given))
    setName('')
    setRenamed(null)
  }
  return (
    <Dialog isOpen size="medium" title={t.title} description={t.lead} onClose={props.onClose}>
      <div className="grid gap-4">
        <form onSubmit={save} className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
          <TextField
            name="view"
            label={renamed === null ? t.name : t.newName(renamed.name)}
            hint={isThere ? t.replaces : undefined}
            value={name}
            onValue={(next) => {
              setName(next)
              setError(null)
            }}
            error={error ?? undefined}
            maxLength={MOST_NAME}
            autoFocus
          />
          <Button type="submit" look="primary" className="sm:mt-6.5">
            {renamed === null ? t.save : t.rename}
          </Button>
        </form>
        {/* What is said beside the window is not heard while it is open. */}
        <p role="status" className="text-sm text-ink-2 empty:hidden">
          {said}
        </p>
        {views.length > 0 && (
          <ul aria-label={t.list} className="grid divide-y divide-line border-y border-line">
            {views.map((view) => (
              <ViewRow
                key={view.name}
                view={view}
                onOpen={() => {
                  props.onShow(view.search)
                  props.onClose()
                }}
                onRename={() => {
                  setRenamed(view)
                  setName(view.name)
                }}
                onDelete={() => {
                  change((before) => withoutView(before, view.name))
                  // It would be there again under its new name.
                  if (renamed?.name === view.name) {
                    setRenamed(null)
                    setName('')
                  }
                  setSaid(t.deleted(view.name))
                }}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function ViewRow(props: { readonly view: SavedView; onOpen(): void; onRename(): void; onDelete(): void }): ReactNode {
  const { name, search } = props.view
  const t = useTexts('requests')
  const { labelled } = useSharedTexts()
  const parts = [
    t.dimensions[search.by],
    ...(search.and === null ? [] : [t.dimensions[search.and]]),
    t.spans[search.days],
    ...DIMENSIONS.flatMap((each) => {
      const value = search.filters[each]
      return value === undefined ? [] : [labelled(t.dimensions[each], value)]
    }),
    ...(search.said === null ? [] : [labelled(t.saidFilter, search.said)]),
  ]
  return (
    <li className="flex items-center gap-1 py-1.5">
      <div className="grid min-w-0 flex-1 justify-items-start">
        <button
          type="button"
          onClick={props.onOpen}
          className="max-w-full truncate text-left font-medium text-accent hover:underline touch:min-h-11"
        >
          {name}
        </button>
        <span className="text-sm text-ink-3 [overflow-wrap:anywhere]">{parts.join(' · ')}</span>
      </div>
      <IconButton icon="edit" label={t.views.renameOf(name)} onClick={props.onRename} />
      <IconButton icon="trash" label={t.views.deleteOf(name)} onClick={props.onDelete} />
    </li>
  )
}
