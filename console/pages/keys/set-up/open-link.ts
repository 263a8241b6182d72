/**
 * Follows a link that has a secret in it without putting it into the page. Web pages open in a window of their own, and
 * do not learn where one came from; other programs are started by the browser, which says nothing when there is none.
 */
export function openLink(link: string): void {
  const anchor = document.createElement('a')
  anchor.href = link
  anchor.rel = 'noopener noreferrer'
  if (/^https?:/i.test(link)) anchor.target = '_blank'
  anchor.click()
  anchor.removeAttribute('href')
}
