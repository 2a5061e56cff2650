/**
 * Functions that wallets encounter, as in the standards and the contracts' sources, each with its effects on
 * the wallet's holdings after the colon, separated by semicolons: the kind of an `Effect`, and its fields as
 * `field=source`, or `field` alone where the source has the same name. A source is an argument, one of the
 * fields of a single tuple, `first` or `last` of a swap's path, `nobody`, `caller`, or `self`, the contract
 * that is called. A name that is none of these is a flag. `/0` after a recipient: the address 0 stands for the contract
 * itself; `/12`: 1 stands for the caller and 2 for the contract.
 *
 * `one+other` adds two arguments. `held`: an amount of 0 is all that the contract holds.
 *
 * `nothing` moves nothing. `other` moves what its arguments do not tell, which only a simulation shows. A
 * function without effects is read by code (`inner-calls.ts`), or cannot be read.
 */

const PERMITTED = '(address token, uint256 amount)';
const DETAILS = '(address token, uint160 amount, uint48 expiration, uint48 nonce)';
const PERMIT_SINGLE = `(${DETAILS} details, address spender, uint256 sigDeadline)`;
const PERMIT_BATCH = `(${DETAILS}[] details, address spender, uint256 sigDeadline)`;
const TRANSFER_DETAILS = '(address to, uint256 requestedAmount)';
const ALLOWANCE_TRANSFER = '(address from, address to, uint160 amount, address token)';
const OFFER =
  '(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount)';
const CONSIDERATION =
  '(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient)';
const ORDER = `(address offerer, address zone, ${OFFER}[] offer, ${CONSIDERATION}[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 totalOriginalConsiderationItems)`;
const BASIC_ORDER =
  '(address considerationToken, uint256 considerationIdentifier, uint256 considerationAmount, address offerer, address zone, address offerToken, uint256 offerIdentifier, uint256 offerAmount, uint8 basicOrderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 offererConduitKey, bytes32 fulfillerConduitKey, uint256 totalOriginalAdditionalRecipients, (uint256 amount, address recipient)[] additionalRecipients, bytes signature)';

export const FUNCTIONS = `
transfer(address to, uint256 amount): token to amount
transferFrom(address from, address to, uint256 amount): token from to amount
transferAndCall(address to, uint256 amount, bytes data): token to amount
burn(uint256 amount): token to=nobody amount
transferWithAuthorization(address from, address to, uint256 amount, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s): token from to amount
receiveWithAuthorization(address from, address to, uint256 amount, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s): token from to amount
approve(address spender, uint256 amount): approval spender amount
approveAndCall(address spender, uint256 amount, bytes data): approval spender amount
increaseAllowance(address spender, uint256 amount): approval spender amount increase
decreaseAllowance(address spender, uint256 amount): approval spender amount decrease
increaseApproval(address spender, uint256 amount): approval spender amount increase
decreaseApproval(address spender, uint256 amount): approval spender amount decrease
permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s): approval from=owner spender amount
permit(address owner, address spender, uint256 amount, uint256 deadline, bytes signature): approval from=owner spender amount
permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s): approval from=holder spender amount=allowed
permit(address spender, uint256 tokenId, uint256 deadline, bytes signature): nft-approval spender id=tokenId
permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s): nft-approval spender id=tokenId
safeTransferFrom(address from, address to, uint256 tokenId): nft from to id=tokenId
safeTransferFrom(address from, address to, uint256 tokenId, bytes data): nft from to id=tokenId
safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data): nft from to id amount
safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)
setApprovalForAll(address operator, bool approved): approval-for-all operator approved
approve(address token, address spender, uint160 amount, uint48 expiration): approval token spender amount until=expiration
permit(address owner, ${PERMIT_SINGLE} permitSingle, bytes signature)
permit(address owner, ${PERMIT_BATCH} permitBatch, bytes signature)
transferFrom(address from, address to, uint160 amount, address token): token from to amount token
transferFrom(${ALLOWANCE_TRANSFER}[] transferDetails)
permitTransferFrom((${PERMITTED} permitted, uint256 nonce, uint256 deadline) permit, ${TRANSFER_DETAILS} transferDetails, address owner, bytes signature)
permitTransferFrom((${PERMITTED}[] permitted, uint256 nonce, uint256 deadline) permit, ${TRANSFER_DETAILS}[] transferDetails, address owner, bytes signature)
permitWitnessTransferFrom((${PERMITTED} permitted, uint256 nonce, uint256 deadline) permit, ${TRANSFER_DETAILS} transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)
permitWitnessTransferFrom((${PERMITTED}[] permitted, uint256 nonce, uint256 deadline) permit, ${TRANSFER_DETAILS}[] transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)
lockdown((address token, address spender)[] approvals)
invalidateNonces(address token, address spender, uint48 newNonce): nothing
invalidateUnorderedNonces(uint256 wordPos, uint256 mask): nothing
deposit(): other
withdraw(uint256 amount): other
mint(): other
mint(address to, uint256 amount): use; receive to token=self amount
mint(uint256 amount): other
burn(address from, uint256 amount): token from to=nobody amount
claim(): other
claim(address account): use; receive to=account
claimReward(): other
claimRewards(): other
claimAirdrop(): other
getReward(): other
securityUpdate(): other
connect(): other
verify(): other
stake(uint256 amount): other
delegate(address delegatee): nothing
castVote(uint256 proposalId, uint8 support): nothing
transferOwnership(address newOwner): control to=newOwner
acceptOwnership(): nothing
renounceOwnership(): control
grantRole(bytes32 role, address account): control to=account
upgradeTo(address implementation): control to=implementation
upgradeToAndCall(address implementation, bytes data): control to=implementation
upgrade(address proxy, address implementation): control to=implementation
upgradeAndCall(address proxy, address implementation, bytes data): control to=implementation
changeAdmin(address newAdmin): control to=newAdmin
changeProxyAdmin(address proxy, address newAdmin): control to=newAdmin
addOwnerWithThreshold(address owner, uint256 threshold): control to=owner
removeOwner(address prevOwner, address owner, uint256 threshold): control
swapOwner(address prevOwner, address oldOwner, address newOwner): control to=newOwner
changeThreshold(uint256 threshold): control
enableModule(address module): control to=module
disableModule(address prevModule, address module): control
setGuard(address guard): control to=guard
setFallbackHandler(address handler): control to=handler
installModule(uint256 moduleTypeId, address module, bytes initData): control to=module
uninstallModule(uint256 moduleTypeId, address module, bytes deInitData): control
multicall(bytes[] data)
multicall(uint256 deadline, bytes[] data)
multicall(bytes32 previousBlockhash, bytes[] data)
aggregate((address target, bytes callData)[] calls)
blockAndAggregate((address target, bytes callData)[] calls)
tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)
tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls)
aggregate3((address target, bool allowFailure, bytes callData)[] calls)
aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)
execute(bytes commands, bytes[] inputs)
execute(bytes commands, bytes[] inputs, uint256 deadline)
execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)
execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)
multiSend(bytes transactions)
execute(address to, uint256 value, bytes data)
executeBatch(address[] to, bytes[] data)
executeBatch(address[] to, uint256[] value, bytes[] data)
executeBatch((address to, uint256 value, bytes data)[] calls)
execute(bytes32 mode, bytes executionCalldata)
executeFromExecutor(bytes32 mode, bytes executionCalldata)
fulfillBasicOrder(${BASIC_ORDER} parameters)
fulfillBasicOrder_efficient_6GL6yc(${BASIC_ORDER} parameters)
fulfillOrder((${ORDER} parameters, bytes signature) order, bytes32 fulfillerConduitKey)
fulfillAdvancedOrder((${ORDER} parameters, uint120 numerator, uint120 denominator, bytes signature, bytes extraData) advancedOrder, (uint256 orderIndex, uint8 side, uint256 index, uint256 identifier, bytes32[] criteriaProof)[] criteriaResolvers, bytes32 fulfillerConduitKey, address recipient)
incrementCounter(): nothing
swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline): pay token=first amount=amountIn; receive to token=last amount=amountOutMin
swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to): pay token=first amount=amountIn coins held; receive to/12 token=last amount=amountOutMin
swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to): pay token=first amount=amountInMax; receive to/12 token=last amount=amountOut
swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline): pay token=first amount=amountInMax; receive to token=last amount=amountOut
swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline): use; receive to token=last amount=amountOutMin
swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline): pay token=first amount=amountInMax; receive to amount=amountOut
swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline): pay token=first amount=amountIn; receive to amount=amountOutMin
swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline): use; receive to token=last amount=amountOut
swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline): pay token=first amount=amountIn; receive to token=last amount=amountOutMin
swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline): use; receive to token=last amount=amountOutMin
swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline): pay token=first amount=amountIn; receive to amount=amountOutMin
addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline): pay token=tokenA amount=amountADesired; pay token=tokenB amount=amountBDesired; receive to put=amountAMin+amountBMin
addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline): use; pay token amount=amountTokenDesired; receive to put=amountTokenMin+amountETHMin
removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline): receive to token=tokenA amount=amountAMin; receive to token=tokenB amount=amountBMin
removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline): receive to token amount=amountTokenMin; receive to amount=amountETHMin
exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params): pay token=tokenIn amount=amountIn coins priceLimit=sqrtPriceLimitX96; receive to=recipient/0 token=tokenOut amount=amountOutMinimum
exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params): pay token=tokenIn amount=amountIn coins priceLimit=sqrtPriceLimitX96 held; receive to=recipient/12 token=tokenOut amount=amountOutMinimum
exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params): pay token=first amount=amountIn coins; receive to=recipient/0 token=last amount=amountOutMinimum
exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params): pay token=first amount=amountIn coins held; receive to=recipient/12 token=last amount=amountOutMinimum
exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params): pay token=tokenIn amount=amountInMaximum; receive to=recipient/0 token=tokenOut amount=amountOut
exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params): pay token=tokenIn amount=amountInMaximum; receive to=recipient/12 token=tokenOut amount=amountOut
exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params): pay token=last amount=amountInMaximum; receive to=recipient/0 token=first amount=amountOut
exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params): pay token=last amount=amountInMaximum; receive to=recipient/12 token=first amount=amountOut
unwrapWETH9(uint256 amountMinimum): receive to=caller amount=amountMinimum rest unwraps
unwrapWETH9(uint256 amountMinimum, address recipient): receive to=recipient amount=amountMinimum rest unwraps
unwrapWETH9WithFee(uint256 amountMinimum, uint256 feeBips, address feeRecipient): pass-on to=feeRecipient share=feeBips; receive to=caller amount=amountMinimum rest unwraps
unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient): pass-on to=feeRecipient share=feeBips; receive to=recipient amount=amountMinimum rest unwraps
sweepToken(address token, uint256 amountMinimum): receive to=caller token amount=amountMinimum rest
sweepToken(address token, uint256 amountMinimum, address recipient): receive to=recipient token amount=amountMinimum rest
sweepTokenWithFee(address token, uint256 amountMinimum, uint256 feeBips, address feeRecipient): pass-on to=feeRecipient token share=feeBips; receive to=caller token amount=amountMinimum rest
sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient): pass-on to=feeRecipient token share=feeBips; receive to=recipient token amount=amountMinimum rest
refundETH(): nothing; use`;
