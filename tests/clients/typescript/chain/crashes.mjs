export async function crashes() {}
