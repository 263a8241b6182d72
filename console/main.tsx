import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { checkConnection, onHealed } from './api/connection.ts'
import { isSignedIn } from './api/me.ts'
import { createQueryClient } from './api/query-client.ts'
import { onDoubt } from './api/request.ts'
import { keepOpenDrafts } from './forms/kept-drafts.ts'
import { forgetFailures } from './loaded-once.ts'
import { PATHS } from './paths.ts'
import { loadEveryPageTexts, loadTextsInUse } from './dictionaries/texts.ts'
import { beforeNewLanguage, followOtherTabs, languageNow } from './preferences.ts'
import { createConsoleRouter } from './routes.tsx'
import { Toasts } from './ui/toasts.tsx'

/** Puts the console together and draws it. */
function startConsole(element: HTMLElement): void {
  const queryClient = createQueryClient({ isSignedIn, onSignedOut: () => goToSignIn() })
  const router = createConsoleRouter(queryClient)
  const goToSignIn = (): void => {
    const { href, pathname } = router.state.location
    const isInside = router.state.matches.some((match) => match.routeId === '/inside')
    if (!isInside || pathname === PATHS.signIn) return
    keepOpenDrafts(Date.now())
    queryClient.clear()
    void router.navigate({
      to: PATHS.signIn,
      search: { return_to: href },
      state: { wasSignedOut: true },
      replace: true,
    })
  }
  keepIcon()
  followOtherTabs()
  beforeNewLanguage(loadTextsInUse)
  onDoubt(() => void checkConnection())
  // First of all: what could not be fetched is asked for again by those that are called next.
  onHealed(() => {
    forgetFailures()
    void queryClient.refetchQueries({ type: 'active' })
  })
  createRoot(element).render(
    // The page allows no style elements; what needs one has its styles in styles.css.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </CSPProvider>,
  )
}

/** Browsers fetch the icon late, when its relative address would be resolved against another page of the console. */
function keepIcon(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  icon?.setAttribute('href', icon.href)
}

const element = document.getElementById('root')
if (element !== null) {
  await loadEveryPageTexts(languageNow())
  startConsole(element)
}
