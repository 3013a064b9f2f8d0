/** What happens now and then, countably: every so many times. */
export function everyTime(nth: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % nth === 0;
  };
}
