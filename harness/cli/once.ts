/** Something that is done at the first call only. */
export function once(call: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) call();
    isDone = true;
  };
}
